import { readdirSync, readFileSync } from 'node:fs';
import { checkRuleSet, type RuleSet } from '@leeward/engine';

const folder = new URL('../../../fixtures/carriers/', import.meta.url);

/** Every rule-set file of the invented carriers, as JSON has it. */
export function fixtureFiles(): { name: string; file: unknown }[] {
  return readdirSync(folder)
    .sort()
    .flatMap((key) =>
      readdirSync(new URL(`${key}/`, folder))
        .filter((name) => name.startsWith('rule-set'))
        .map((name) => ({
          name: `${key}/${name}`,
          file: JSON.parse(readFileSync(new URL(`${key}/${name}`, folder), 'utf8')) as unknown,
        })),
    );
}

/** A file that must be without faults. */
export function checked(file: unknown): RuleSet {
  const { ruleSet, faults } = checkRuleSet(file);
  if (!ruleSet) throw new Error(JSON.stringify(faults));
  return ruleSet;
}
