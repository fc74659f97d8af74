import type { RulesAnswer } from './rules-messages.ts';

/** Why a result belongs to an earlier text: the current text has errors, or its result is pending. */
export type Stale = 'faulty' | 'checking';
/** The note next to a result. */
export const staleWords: Readonly<Record<Stale, string>> = {
  faulty: 'For the last text without errors',
  checking: 'Checking …',
};
type Result = 'changes' | 'tested' | 'findings';
const results: readonly Result[] = ['changes', 'tested', 'findings'];

/** An answer, with results of an earlier text where those of the present one are not there. */
export interface KeptAnswer extends RulesAnswer {
  readonly stale?: Readonly<Partial<Record<Result, Stale>>>;
}

/** Adds to an answer the results of the one before that it has not, so that nothing vanishes at each keystroke. */
export function keepResults(
  answer: RulesAnswer,
  before: KeptAnswer | undefined,
  expected: readonly Result[],
): KeptAnswer {
  const stale: Partial<Record<Result, Stale>> = {};
  const earlier: Partial<Pick<RulesAnswer, Result>> = {};
  for (const result of results) {
    if (answer[result] !== undefined || before?.[result] === undefined || !expected.includes(result)) continue;
    if (result === 'changes' && answer.isOlderUnread) continue;
    Object.assign(earlier, { [result]: before[result] });
    stale[result] = answer.faults.length > 0 ? 'faulty' : 'checking';
  }
  return Object.keys(stale).length === 0 ? answer : { ...answer, ...earlier, stale };
}
