import type { FactContext, HostFact } from '@leeward/engine';
import type { FactAnswer } from '@leeward/engine/compiled';
import { canonicalJson } from '@leeward/terms';
import type { RecordedHostFact } from './decision-record.ts';
import { ReplayError } from './replay-error.ts';

type HostFacts = Readonly<Record<string, HostFact>>;
type Params = Readonly<Record<string, unknown>>;

export function recordFacts(answers: readonly FactAnswer[]): RecordedHostFact[] {
  return answers.map(({ name, params, policyType, county, value }) => ({
    fact: name,
    params: { ...params },
    policy_type: policyType,
    county,
    ...(value === undefined ? {} : { value }),
  }));
}

/** Facts with the recorded values. A fact that the decision did not use throws a `ReplayError`. */
export function recordedFacts(answers: readonly RecordedHostFact[], names: readonly string[]): HostFacts {
  const byKey = new Map(answers.map((answer) => [keyOf(answer), answer]));
  return Object.fromEntries(
    [...new Set([...names, ...answers.map((answer) => answer.fact)])].map((name) => [
      name,
      (params: Params, of: FactContext): unknown => {
        const use = useOf(name, params, of);
        const answer = byKey.get(keyOf(use));
        if (answer) return answer.value;
        const message = `The recorded decision did not use the host's fact "${name}" for ${JSON.stringify(use)}.`;
        throw new ReplayError('host_fact_missing', [{ path: '/host_facts', message }]);
      },
    ]),
  );
}

type FactUse = Omit<RecordedHostFact, 'value'>;

function useOf(fact: string, params: Params, of: FactContext): FactUse {
  const county = of.get('county');
  return {
    fact,
    params: { ...params },
    policy_type: String(of.get('policy_type')),
    county: typeof county === 'string' ? county : null,
  };
}

function keyOf({ fact, params, policy_type, county }: FactUse): string {
  return canonicalJson([fact, params, policy_type, county]);
}
