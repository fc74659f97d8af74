import { expect, it } from 'vitest';
import { declinableHome } from '../../../../../test/support/engine/declinable-homes.ts';
import { fixtureCatalog, fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { createProperty, type Property } from '../request/property.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { homeVocabulary } from '../vocabulary/home.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const entries = fixtureEntries();
const catalog = fixtureCatalog();
const { fields } = homeVocabulary;

/** A value on each side of every number in a rule file. */
const numbers = new Set<number>();
const visit = (node: unknown): void => {
  if (typeof node === 'number') for (const near of [node - 1, node, node + 1]) numbers.add(near);
  else if (typeof node === 'object' && node !== null) Object.values(node).forEach(visit);
};
for (const { file } of entries) visit(file);

function valuesOf(requestName: string): { name: string; values: (number | string)[] } {
  const field = fields.find((each) => each.requestName === requestName)!;
  const domain = field.domain({ effectiveYear: 2026 });
  if (domain.kind === 'words') return { name: field.name, values: [...domain.words] };
  const all = field.name === 'roof_year' ? [...numbers].map((age) => 2026 - age) : [...numbers];
  if (!domain.integer) all.push(...all.map((number) => number + 0.5));
  const values = [...new Set([...all, domain.min, domain.max])];
  return { name: field.name, values: values.filter((value) => value >= domain.min && value <= domain.max) };
}

function withValues(property: Property, values: Readonly<Record<string, Knowledge>>): Property {
  const known = Object.fromEntries(fields.map((field, index) => [field.name, property.givenValues![index]]));
  return createProperty({ ...property, values: { ...known, ...values } });
}

it(`counts the verdicts that a question settles for any answer (seed ${seed})`, () => {
  const random = createRandom(seed);
  let compared = 0;
  let settling = 0;
  while (compared < testVolume(40)) {
    const property = declinableHome(random, 0.08);
    const { verdicts, nextQuestions } = catalog.decideSync(property);
    const keyOf = (verdict: Verdict) => `${verdict.carrierKey} ${verdict.policyType}`;
    const undecided = verdicts.filter((verdict) => verdict.status === 'needs_information' && !verdict.conservative);
    if (verdicts.some((verdict) => verdict.conservative)) continue;
    for (const { field, wouldSettle } of nextQuestions) {
      // A county or an address is more than one value.
      if (field === 'county' || field === 'address') continue;
      const together = homeVocabulary.givenTogether.find((pair) => pair.includes(field as never)) ?? [field];
      const [first, second] = (together as readonly string[]).map(valuesOf);
      const left = new Map(undecided.map((verdict) => [keyOf(verdict), verdict]));
      for (const a of first!.values) {
        for (const b of second?.values ?? [undefined]) {
          const answered = withValues(property, { [first!.name]: a, ...(second ? { [second.name]: b } : {}) });
          for (const verdict of catalog.decideSync(answered).verdicts)
            if (verdict.status === 'needs_information') left.delete(keyOf(verdict));
        }
      }
      expect(left.size, `${field} of ${JSON.stringify(property.givenValues)}`).toBe(wouldSettle);
      compared++;
      if (wouldSettle > 0) settling++;
    }
  }
  expect(settling).toBeGreaterThan(compared / 10);
});
