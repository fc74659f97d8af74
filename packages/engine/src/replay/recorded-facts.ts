import canonicalize from 'canonicalize';
import type { Facts } from '../condition/facts.ts';
import type { HostFact } from '../reference/reference-evaluator.ts';
import type { RecordedHostFact } from './decision-record.ts';
import { ReplayError } from './replay-error.ts';

type HostFacts = Readonly<Record<string, HostFact>>;
type Params = Readonly<Record<string, unknown>>;

/**
 * The host's facts, each answer written down. What was written is what is judged: an answer is taken as
 * JSON carries it. Throws a `TypeError` where it cannot.
 */
export function recordingFacts(hostFacts: HostFacts): { facts: HostFacts; answers: () => RecordedHostFact[] } {
  const answers = new Map<string, RecordedHostFact>();
  const facts = Object.fromEntries(
    Object.entries(hostFacts).map(([name, fact]) => [
      name,
      async (params: Params, of: Facts): Promise<unknown> => {
        const value = asJson(name, typeof fact === 'function' ? await fact(params, of) : fact);
        const asked = askedFor(name, params, of);
        answers.set(keyOf(asked), { ...asked, ...(value === undefined ? {} : { value }) });
        return value;
      },
    ]),
  );
  return {
    facts,
    answers: () => [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer),
  };
}

/** The host's facts as they answered then; those of `names` that were not asked then answer nothing now. */
export function recordedFacts(answers: readonly RecordedHostFact[], names: readonly string[]): HostFacts {
  const byKey = new Map(answers.map((answer) => [keyOf(answer), answer]));
  return Object.fromEntries(
    [...new Set([...names, ...answers.map((answer) => answer.fact)])].map((name) => [
      name,
      (params: Params, of: Facts): unknown => {
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

function askedFor(fact: string, params: Params, of: Facts): Asked {
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

function asJson(name: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const text = canonicalize(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw new TypeError(`The host's fact "${name}" answered what JSON cannot carry: ${(error as Error).message}.`);
  }
}
