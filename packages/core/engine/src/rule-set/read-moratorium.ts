/**
 * Moratoria with a condition. Each becomes a rule that declines: within its window, in its places, for its policy types, while `when`
 * holds and `unless` does not. So an unknown event, or an unknown place of the home, leaves the verdict open.
 */
import { own } from '@leeward/terms';
import { nameOfComputed } from '../condition/computed-name.ts';
import type { Leaf, LeafCondition, Moment, Tree } from '../condition/condition.ts';
import { readRoot } from './check-condition.ts';
import type { ConditionContext } from './condition-context.ts';
import { EVENT_NAME, messageFaults, testsEvents } from './read-rule.ts';
import type { Moratorium, Rule } from './rule-set.ts';

/** True for a moratorium with a condition. */
export function isConditional(source: Record<string, unknown>): boolean {
  return Object.hasOwn(source, 'when') || Object.hasOwn(source, 'unless');
}

/** Reads the condition of a moratorium whose other parts are read. */
export function readConditional(
  source: Record<string, unknown>,
  moratorium: Moratorium,
  path: string,
  context: ConditionContext,
): Rule {
  const { faults, vocabulary, host } = context;
  const when = own(source, 'when');
  const unless = own(source, 'unless');
  const parts: Tree[] = [...windowTests(moratorium), ...placeTests(moratorium)];
  if (when !== undefined) parts.push(readRoot(when, `${path}/when`, context));
  if (unless !== undefined) parts.push({ kind: 'not', of: readRoot(unless, `${path}/unless`, context) });
  const condition: Tree = { kind: 'all', of: parts };
  const quoted = testsEvents(condition) ? new Set([...host.facts, EVENT_NAME]) : host.facts;
  faults.push(...messageFaults(moratorium.message, `${path}/message`, vocabulary, quoted));
  return {
    id: moratorium.id,
    outcome: 'decline',
    code: 'moratorium',
    message: moratorium.message,
    condition,
    priority: MORATORIUM_PRIORITY,
    path,
    isMoratorium: true,
  };
}

/** Before every other reason. */
const MORATORIUM_PRIORITY = Number.MAX_SAFE_INTEGER;

const requestTime: Moment = { kind: 'moment', fact: 'request_time' };

function windowTests({ fromMs, untilMs }: Moratorium): Tree[] {
  const test = (operator: string, value: number): Leaf => {
    const written = { fact: requestTime.fact, operator, value: new Date(value).toISOString() };
    return { kind: 'leaf', fact: nameOfComputed(requestTime), operator, value, computed: requestTime, written };
  };
  return [
    ...(Number.isFinite(fromMs) ? [test('greaterThanInclusive', fromMs)] : []),
    ...(Number.isFinite(untilMs) ? [test('lessThan', untilMs)] : []),
  ];
}

function placeTests({ places, policyTypes }: Moratorium): Tree[] {
  const tests: Tree[] = [];
  if (places.states) tests.push(wordTest('state', 'in', places.states));
  for (const [state, { mode, fips }] of places.counties) {
    const narrowed = wordTest('county', mode === 'include' ? 'in' : 'notIn', [...fips]);
    const isWholeState = places.states?.length === 1;
    tests.push(isWholeState ? narrowed : { kind: 'any', of: [wordTest('state', 'notEqual', state), narrowed] });
  }
  if (policyTypes) tests.push(wordTest('policy_type', 'in', policyTypes));
  return tests;
}

function wordTest(fact: string, operator: string, value: string | readonly string[]): Leaf {
  const written: LeafCondition = { fact, operator, value };
  return { kind: 'leaf', fact, operator, value, written };
}
