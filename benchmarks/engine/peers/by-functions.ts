import type { BenchmarkCarrier, BenchmarkRule, Condition } from '../carriers.ts';
import type { Facts } from '../homes.ts';
import { type Peer, statusOf } from './peer.ts';
import { allRules } from './rules.ts';

type Test = (facts: Facts) => boolean;

/** Each condition as a function. */
export function byFunctions(
  name: string,
  homes: number,
  carriers: readonly BenchmarkCarrier[],
  compile: (condition: Condition) => Test,
): Peer {
  const byType = new Map<string, { rule: BenchmarkRule; test: Test }[][]>();
  for (const carrier of carriers) {
    for (const program of carrier.programs) {
      const rules = allRules(carrier, program).map((rule) => ({ rule, test: compile(rule.when) }));
      byType.set(program.policyType, [...(byType.get(program.policyType) ?? []), rules]);
    }
  }
  return {
    name,
    homes,
    judge(facts, reasons) {
      const holding = byType
        .get(facts['policy_type'] as string)!
        .map((rules) => rules.filter(({ test }) => test(facts)));
      return {
        statuses: holding.map((each) => statusOf(each.map(({ rule }) => rule.outcome))),
        reasons: reasons
          ? holding.map((each) => each.filter(({ rule }) => rule.outcome === 'decline').map(({ rule }) => rule))
          : [],
      };
    },
  };
}
