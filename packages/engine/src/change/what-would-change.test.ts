import { describe, expect, it } from 'vitest';
import { createCatalog } from '../catalog/catalog.ts';
import { STATUS_CODES } from '../planes/read-planes.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { createProperty, type Property } from '../request/property.ts';
import { declinableHome } from '../testing/declinable-homes.ts';
import { fixtureEntries } from '../testing/fixture-catalog.ts';
import { fuzzVolume } from '../testing/fuzz-volume.ts';
import { createRandom, pick, wholeNumber } from '../testing/random.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { ChangeAim } from './change-layout.ts';
import type { NumberRange } from './nearest.ts';
import type { FieldChange } from './tell-change.ts';
import { type Counterfactual, whatWouldChange } from './what-would-change.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const entries = fixtureEntries();
const catalog = createCatalog(entries);

/** Values of every changeable field around every number that a rule file names, and every word. */
function samplesOfFields(): Map<number, readonly (number | string)[]> {
  const numbers = new Set<number>();
  const visit = (node: unknown): void => {
    if (typeof node === 'number') for (const near of [node - 1, node, node + 1]) numbers.add(near);
    else if (typeof node === 'object' && node !== null) Object.values(node).forEach(visit);
  };
  for (const { file } of entries) visit(file);
  const samples = new Map<number, readonly (number | string)[]>();
  homeVocabulary.fields.forEach((field, index) => {
    if (field.change.kind === 'never') return;
    const domain = field.domain({ effectiveYear: 2026 });
    if (domain.kind === 'words') samples.set(index, domain.words);
    else {
      // A roof's limits are ages and its field is the year; a year of its own is tried as well.
      const all = field.name === 'roof_year' ? [...numbers].flatMap((age) => [2026 - age, age]) : [...numbers];
      samples.set(
        index,
        [...new Set([...all, domain.min, domain.max])].filter(
          (each) => each >= domain.min && each <= domain.max && Number.isInteger(each),
        ),
      );
    }
  });
  return samples;
}

/** What the vocabulary lets a field change to, written out once more. */
function targets(index: number, property: Property, samples: Map<number, readonly (number | string)[]>) {
  const field = homeVocabulary.fields[index]!;
  const present = property.values[index] as number | string;
  const built = property.values[homeVocabulary.fields.findIndex((each) => each.name === 'year_built')] as number;
  return samples.get(index)!.filter((value) => {
    if (value === present) return false;
    if (field.change.kind === 'words') return field.change.words.includes(value as string);
    if (field.change.kind === 'lower') return value < present;
    if (field.change.kind === 'higher') return value > present && (value as number) >= built;
    return field.change.kind === 'any';
  });
}

/** The fewest changed fields, up to two, with which each carrier reaches an aim; found by trying all. */
function fewestByTrying(property: Property, samples: Map<number, readonly (number | string)[]>) {
  const values = [...property.values];
  const probe: Property = { ...property, values, given: values };
  const count = catalog.carriers.length;
  const fewest: Record<ChangeAim, Uint8Array> = {
    eligible: new Uint8Array(count).fill(9),
    not_ineligible: new Uint8Array(count).fill(9),
  };
  const codes = new Uint8Array(count);
  const note = (changed: number) => {
    catalog.statusCodes(probe, codes);
    for (let carrier = 0; carrier < count; carrier++) {
      const status = STATUS_CODES[codes[carrier]!];
      if (status === 'eligible' && fewest.eligible[carrier]! > changed) fewest.eligible[carrier] = changed;
      if ((status === 'eligible' || status === 'referral') && fewest.not_ineligible[carrier]! > changed)
        fewest.not_ineligible[carrier] = changed;
    }
  };
  const fields = [...samples.keys()].map((index) => ({ index, to: targets(index, property, samples) }));
  note(0);
  for (const [place, a] of fields.entries()) {
    for (const value of a.to) {
      values[a.index] = value;
      note(1);
      for (const b of fields.slice(place + 1)) {
        for (const other of b.to) {
          values[b.index] = other;
          note(2);
        }
        values[b.index] = property.values[b.index];
      }
    }
    values[a.index] = property.values[a.index];
  }
  return fewest;
}

/** A home as a request would give it, with some fields changed as a way says. */
function apply(
  property: Property,
  changes: readonly FieldChange[],
  choose: (change: FieldChange) => number | string,
): Property {
  const values: Record<string, Knowledge> = {};
  homeVocabulary.fields.forEach((field, index) => {
    values[field.name] = (property.given ?? property.values)[index];
  });
  for (const change of changes) {
    const field = homeVocabulary.fields.find((each) => each.requestName === change.field)!;
    const parsed = field.schema!.parse(choose(change));
    values[field.name] = field.resolve!(parsed, property) as number | string;
  }
  return createProperty({ ...property, values });
}

function statusAfter(property: Property, carrierKey: string) {
  return catalog.decideSync(property).verdicts.find((verdict) => verdict.carrierKey === carrierKey)!;
}

function anyOf(random: () => number, change: FieldChange): number | string {
  if (change.words) return pick(random, change.words);
  const range: NumberRange = pick(random, change.ranges!);
  return pick(random, [range.min, range.max, wholeNumber(random, range.min, range.max)]);
}

const fits = (way: Counterfactual, aim: ChangeAim, possible: readonly string[]) =>
  aim === 'eligible'
    ? possible.includes('eligible')
    : possible.some((status) => status !== 'ineligible') && way.becomes !== 'ineligible';

describe('what would change it', () => {
  const declined = fuzzVolume(250);
  it(`keeps its promise for ${declined} declined complete homes, and none smaller exists (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const samples = samplesOfFields();
    const reference = createCatalog(entries, { evaluator: 'reference' });
    const seen: Record<string, number> = {};
    let judged = 0;
    let microseconds = 0;
    while (judged < declined) {
      const property = declinableHome(random);
      const verdicts = catalog.decideSync(property).verdicts.filter((verdict) => verdict.status === 'ineligible');
      if (verdicts.length === 0) continue;
      const fewest = fewestByTrying(property, samples);
      for (const { carrierKey } of verdicts) {
        judged++;
        const carrier = catalog.carriers.findIndex((each) => each.key === carrierKey);
        const start = performance.now();
        const answer = whatWouldChange(catalog, property, { carrierKey });
        microseconds += (performance.now() - start) * 1000;
        const say = `${carrierKey} ${JSON.stringify([property.given, property.policyType, property.counties, answer])}`;
        seen[`${answer.outcome} ${answer.aim} ${answer.ways[0]?.changes.length ?? 0}`] ??= 0;
        seen[`${answer.outcome} ${answer.aim} ${answer.ways[0]?.changes.length ?? 0}`]!++;
        expect(answer.conservative, say).toBeUndefined();
        for (const aim of answer.aim === 'eligible'
          ? (['eligible'] as const)
          : (['eligible', 'not_ineligible'] as const)) {
          const ours = aim === answer.aim && answer.outcome === 'ways' ? answer.ways[0]!.changes.length : 9;
          const tried = fewest[aim][carrier]!;
          if (ours <= 2 || tried <= 2) expect(ours, `${aim} ${say}`).toBe(tried);
        }
        for (const way of answer.ways) {
          expect(way.changes.length).toBe(answer.ways[0]!.changes.length);
          expect(
            statusAfter(
              apply(property, way.changes, (change) => change.to),
              carrierKey,
            ).status,
            say,
          ).toBe(way.becomes);
          for (let corner = 0; corner < 3; corner++) {
            const changed = apply(property, way.changes, (change) => anyOf(random, change));
            expect(fits(way, answer.aim, statusAfter(changed, carrierKey).possibleStatuses), say).toBe(true);
          }
          if (judged % 50 === 0) {
            const plain = await reference.decide(apply(property, way.changes, (change) => change.to));
            expect(plain.verdicts.find((verdict) => verdict.carrierKey === carrierKey)?.status, say).toBe(way.becomes);
          }
        }
      }
    }
    if (process.env['LEEWARD_FUZZ'])
      console.log(judged, 'verdicts', (microseconds / judged).toFixed(1), 'µs each', seen);
    expect(Object.keys(seen).length).toBeGreaterThan(4);
  });
});
