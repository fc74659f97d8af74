import type { Imported } from '@leeward/authoring';
import { createCatalog, parseRequest, type Vocabulary } from '@leeward/engine';

/** The answer of each imported rule alone: true, false, or undefined if it depends on missing facts. */
export function evaluatorOf({ ruleSet }: Imported, vocabulary: Vocabulary) {
  const rules = ruleSet['rules'] as { readonly name?: string; readonly id?: string }[];
  const catalogs = rules.map(
    (rule) =>
      [rule.id ?? rule.name!, createCatalog([{ file: { ...ruleSet, rules: [rule] } }], { vocabulary })] as const,
  );
  return async (home: Readonly<Record<string, unknown>>) => {
    const request = { state: 'tx', policy_type: 'basic', ...home };
    const parsed = parseRequest(request, { vocabulary, now: new Date('2026-11-20T12:00:00Z') });
    if (!parsed.ok) throw new Error(parsed.faults[0]?.message);
    const answers = new Map<string, boolean | undefined>();
    for (const [name, catalog] of catalogs) {
      const status = (await catalog.decide(parsed.request.property)).verdicts[0]?.status;
      if (status === 'ineligible') answers.set(name, true);
      else answers.set(name, status === 'eligible' ? false : undefined);
    }
    return answers;
  };
}
