import type { RulesAnswer } from './rules-messages.ts';

/** Why a result belongs to an earlier text. */
export type Stale = 'faulty' | 'checking';
export const staleWords: Readonly<Record<Stale, string>> = {
  faulty: 'For the last text without errors',
  checking: 'Checking …',
};
type Result = 'changes' | 'tested' | 'homeResults' | 'findings';
const results: readonly Result[] = ['changes', 'tested', 'homeResults', 'findings'];

/** An answer, with results of an earlier text where newer ones are missing. */
export interface KeptAnswer extends RulesAnswer {
  readonly stale?: Readonly<Partial<Record<Result, Stale>>>;
}

/** Adds missing results of the earlier answer, so that results do not vanish at each keystroke. */
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
