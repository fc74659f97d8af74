import { type ZenDecision, ZenEngine } from '@gorules/zen-engine';
import type { BenchmarkCarrier, BenchmarkRule, Condition } from '../carriers.ts';
import { type Peer, statusOf } from './peer.ts';
import { allRules } from './rules.ts';

/** A ZEN decision a carrier and policy type: an expression a rule. */
export function createZen(carriers: readonly BenchmarkCarrier[]): Peer {
  const engine = new ZenEngine();
  const byType = new Map<string, { decision: ZenDecision; rules: readonly BenchmarkRule[] }[]>();
  for (const carrier of carriers) {
    for (const program of carrier.programs) {
      const rules = allRules(carrier, program);
      const expressions = rules.map((rule, index) => ({ id: rule.id, key: `r${index}`, value: expression(rule.when) }));
      const decision = engine.createDecision({
        nodes: [
          { id: 'in', name: 'in', type: 'inputNode', position: { x: 0, y: 0 } },
          { id: 'rules', name: 'rules', type: 'expressionNode', position: { x: 0, y: 0 }, content: { expressions } },
          { id: 'out', name: 'out', type: 'outputNode', position: { x: 0, y: 0 } },
        ],
        edges: [
          { id: 'a', sourceId: 'in', targetId: 'rules', type: 'edge' },
          { id: 'b', sourceId: 'rules', targetId: 'out', type: 'edge' },
        ],
      } as never);
      byType.set(program.policyType, [...(byType.get(program.policyType) ?? []), { decision, rules }]);
    }
  }
  return {
    name: 'ZEN, a decision a carrier and type',
    homes: 60,
    async judge(facts, reasons) {
      const all = byType.get(facts['policy_type'] as string)!;
      const holding: BenchmarkRule[][] = [];
      for (const { decision, rules } of all) {
        const { result } = await decision.evaluate(facts);
        holding.push(rules.filter((_, index) => result[`r${index}`] === true));
      }
      return {
        statuses: holding.map((each) => statusOf(each.map((rule) => rule.outcome))),
        reasons: reasons ? holding.map((each) => each.filter((rule) => rule.outcome === 'decline')) : [],
      };
    },
  };
}

const signs: Readonly<Record<string, string>> = { greaterThan: '>', lessThan: '<', equal: '==' };

function expression(condition: Condition): string {
  if ('all' in condition) return `(${condition.all.map(expression).join(' and ')})`;
  if ('any' in condition) return `(${condition.any.map(expression).join(' or ')})`;
  if ('not' in condition) return `(not ${expression(condition.not)})`;
  const { fact, operator, value } = condition;
  return operator === 'in'
    ? `(${fact} in ${JSON.stringify(value)})`
    : `(${fact} ${signs[operator]} ${JSON.stringify(value)})`;
}
