import { Engine, type RuleProperties } from 'json-rules-engine';
import type { BenchmarkCarrier } from '../carriers.ts';
import type { Facts } from '../homes.ts';
import { type Peer, statusOf } from './peer.ts';
import { allRules } from './rules.ts';

/** An Engine a carrier, the policy type as a condition of every rule. */
export function createJsonRulesEngine(carriers: readonly BenchmarkCarrier[]): Peer {
  const engines = carriers.map((carrier) => {
    const engine = new Engine();
    for (const program of carrier.programs) {
      for (const rule of allRules(carrier, program)) {
        const type = { fact: 'policy_type', operator: 'equal', value: program.policyType };
        engine.addRule(toRule(rule, { all: [type, rule.when] }));
      }
    }
    return engine;
  });
  return {
    name: 'json-rules-engine, an Engine a carrier',
    homes: 6,
    judge: (facts, reasons) => run(engines, facts, reasons),
  };
}

/** An Engine a carrier and policy type; the 50 of the home's type are run. */
export function createPartitionedJsonRulesEngine(carriers: readonly BenchmarkCarrier[]): Peer {
  const byType = new Map<string, Engine[]>();
  for (const carrier of carriers) {
    for (const program of carrier.programs) {
      const engine = new Engine();
      for (const rule of allRules(carrier, program)) engine.addRule(toRule(rule, rule.when));
      byType.set(program.policyType, [...(byType.get(program.policyType) ?? []), engine]);
    }
  }
  return {
    name: 'json-rules-engine, partitioned by type',
    homes: 30,
    judge: (facts, reasons) => run(byType.get(facts['policy_type'] as string)!, facts, reasons),
  };
}

function toRule(
  rule: { id: string; outcome: string; code: string; message: string },
  conditions: unknown,
): RuleProperties {
  return {
    name: rule.id,
    conditions: conditions as never,
    event: { type: rule.outcome, params: { id: rule.id, code: rule.code, message: rule.message } },
  };
}

async function run(engines: readonly Engine[], facts: Facts, reasons: boolean) {
  const events = [];
  for (const engine of engines) events.push((await engine.run(facts)).events);
  return {
    statuses: events.map((each) => statusOf(each.map((event) => event.type))),
    reasons: reasons
      ? events.map((each) => each.filter((event) => event.type === 'decline').map((event) => event.params as never))
      : [],
  };
}
