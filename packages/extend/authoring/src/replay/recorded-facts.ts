import type { FactContext, HostFact } from '@leeward/engine';
import type { FactAnswer } from '@leeward/engine/compiled';
import canonicalize from 'canonicalize';
import type { RecordedHostFact } from './decision-record.ts';
import { ReplayError } from './replay-error.ts';

type HostFacts = Readonly<Record<string, HostFact>>;
type Params = Readonly<Record<string, unknown>>;

/** The facts of the host that a decision used, as its record holds them. */
export function recordFacts(answers: readonly FactAnswer[]): RecordedHostFact[] {
  return answers.map(({ name, params, policyType, county, value }) => ({
    fact: name,
    params: { ...params },
    policy_type: policyType,
    county,
    ...(value === undefined ? {} : { value }),
  }));
}

/** The host's facts as they answered then; those of `names` that were not asked then answer nothing now. */
export function recordedFacts(answers: readonly RecordedHostFact[], names: readonly string[]): HostFacts {
  const byKey = new Map(answers.map((answer) => [keyOf(answer), answer]));
  return Object.fromEntries(
    [...new Set([...names, ...answers.map((answer) => answer.fact)])].map((name) => [
      name,
      (params: Params, of: FactContext): unknown => {
        const asked = askedFor(name, params, of);
        const answer = byKey.get(keyOf(asked));
        if (answer) return answer.value;
        const message = `The host's fact "${name}" was not asked then for ${JSON.stringify(asked)}.`;
        throw new ReplayError('host_fact_missing', [{ path: '/host_facts', message }]);
      },
    ]),
  );
}

type Asked = Omit<RecordedHostFact, 'value'>;

function askedFor(fact: string, params: Params, of: FactContext): Asked {
  const county = of.get('county');
  return {
    fact,
    params: { ...params },
    policy_type: String(of.get('policy_type')),
    county: typeof county === 'string' ? county : null,
  };
}

function keyOf({ fact, params, policy_type, county }: Asked): string {
  return canonicalize([fact, params, policy_type, county])!;
}
