import { createCatalog, type Decider, type Line, type Vocabulary } from '@leeward/engine';
import { createVerdictSource } from '@leeward/http';
import { followRuleSets } from '@leeward/http-admin';
import { stateCodes } from '@leeward/places/counties';
import type { CarrierAdapter, VerdictSource } from '@leeward/quotes';
import type { RuleSetFeed, RuleSetsInForce } from '@leeward/registry';

export interface WithoutRulesOptions {
  /** Adapters of carriers without rules in a folder. */
  readonly adapters: readonly Pick<CarrierAdapter, 'key' | 'name'>[];
  readonly feed: RuleSetFeed;
  readonly vocabulary: Vocabulary;
  readonly lines: readonly Line[];
  /** Rules of a team, by line. */
  readonly rulesOf: (teamId: string, formType: string) => Promise<Decider>;
  /** Verdicts of carriers with rules. */
  readonly verdictSource: VerdictSource;
  /** Called with moratoria that could not be read or served. */
  readonly onError: (error: unknown) => void;
}

/** Must be stopped with the process. */
export interface VerdictsWithoutRules {
  readonly verdictSource: VerdictSource;
  stop(): void;
}

/**
 * Carriers without rules are called for every home that they quote, unless a moratorium stops them. A carrier with rules anywhere, even
 * withdrawn, is decided by them, so that it cannot lose its rules by mistake.
 */
export async function verdictsWithoutRules(options: WithoutRulesOptions): Promise<VerdictsWithoutRules> {
  const { adapters, feed, vocabulary, lines, rulesOf, verdictSource, onError } = options;
  const keys = new Set(adapters.map(({ key }) => key));
  if (keys.size === 0) return { verdictSource, stop() {} };

  let rulesInForce: RuleSetsInForce = await feed.inForce();
  const inForce = async () => {
    if ((await feed.number()) !== rulesInForce.number) rulesInForce = await feed.inForce();
    return rulesInForce;
  };
  // A moratorium for all carriers includes these.
  const moratoria: RuleSetFeed = { ...feed, inForce: async () => ({ ...(await inForce()), carriers: new Map() }) };
  const follow = (words: Vocabulary) => {
    const entries = adapters.map((adapter) => ({ name: adapter.key, file: emptyRuleSet(adapter, words) }));
    return followRuleSets({ feed: moratoria, base: createCatalog(entries, { vocabulary: words }), onError });
  };
  const home = follow(vocabulary);
  const others = lines.map((line) => ({ line, catalog: follow(line.vocabulary) }));
  const all = [home, ...others.map(({ catalog }) => catalog)];
  for (const catalog of all) await catalog.start();
  const ask = createVerdictSource({
    rulesOf: async () => home.current(),
    lines: others.map(({ line, catalog }) => ({ line, rulesOf: async () => catalog.current() })),
  });
  const hasRules = async (key: string, teamId: string, formType: string) =>
    !keys.has(key) ||
    (await inForce()).carriers.has(key) ||
    (await rulesOf(teamId, formType)).carriers.some((carrier) => carrier.key === key);
  return {
    verdictSource: async (key, request) =>
      (await hasRules(key, request.teamId, request.formType)) ? verdictSource(key, request) : ask(key, request),
    stop() {
      for (const catalog of all) catalog.stop();
    },
  };
}

/** An empty rule set for every policy type and state of the line, to apply moratoria. Quoting limits itself to the adapter's offer. */
function emptyRuleSet({ key, name }: WithoutRulesOptions['adapters'][number], words: Vocabulary): object {
  const program = { id: 'all', policy_types: words.policyTypes, states: stateCodes, rules: [] };
  const effective = { from: '2000-01-01', until: null };
  return { format: 1, carrier: { key, name }, line: words.line, version: '1', effective, programs: [program] };
}
