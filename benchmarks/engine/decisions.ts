/** Cost of `decide` for a caller that reads the whole decision, and of the next questions. */
import { type Catalog, createCatalog, type Decision, type Property, whatWouldChange } from '@leeward/engine';
import { median, type Row } from '../report.ts';
import { timeBook } from './book.ts';
import { type BenchmarkCarrier, createCarriers, toRuleSets } from './carriers.ts';
import { createGuideCatalog, toLocatedProperties, withDetails } from './guides.ts';
import { type Facts, withMissing } from './homes.ts';

/** Homes of known types by the share of their fields that is missing. */
export type HomesByMissing = readonly (readonly [missing: string, homes: readonly Property[]])[];

/**
 * Reads the whole decision: every reason, message, requirement and missing field of every verdict, and the next
 * questions. Returns the number of characters, so that V8 cannot drop the work.
 */
export function readDecision(decision: Decision): number {
  let read = decision.counts.eligible;
  for (const verdict of decision.verdicts) {
    read += verdict.carrierKey.length + verdict.status.length + verdict.possibleStatuses.length;
    for (const { code, message, fields, ruleId } of verdict.reasons)
      read += code.length + message.length + fields.join().length + ruleId.length;
    for (const list of [verdict.requirements, verdict.possibleRequirements, verdict.notes])
      for (const { code, message } of list) read += code.length + message.length;
    for (const field of verdict.missingFields) read += field.length;
    if (verdict.conservative) read++;
  }
  for (const { field, wouldSettle } of decision.nextQuestions) read += field.length + wouldSettle;
  return read;
}

/** Median over rounds of the time of one call, in µs. */
export function time<T>(inputs: readonly T[], call: (input: T) => void, rounds = 9): number {
  for (const input of inputs) call(input);
  return median(
    Array.from({ length: rounds }, () => {
      const start = process.hrtime.bigint();
      for (const input of inputs) call(input);
      return Number(process.hrtime.bigint() - start) / 1000 / inputs.length;
    }),
  );
}

let read = 0;
const decideAndRead = (catalog: Catalog) => (property: Property) => {
  read += readDecision(catalog.decideSync(property));
};

/** Decisions of 50 carriers, warm, and the questions that follow one. */
export function measureDecisions(catalog: Catalog, homes: HomesByMissing): Row[] {
  const rows: Row[] = [];
  const row = (name: string, value: number) => rows.push({ name, median: value, unit: 'µs' });
  for (const [missing, all] of homes) {
    const some = all.slice(0, 1000);
    row(`decisions with all reasons, exact, ${missing}`, time(some, decideAndRead(catalog)));
    row(
      `decisions of which only the counts are read, ${missing}`,
      time(some, (property) => {
        read += catalog.decideSync(property).counts.eligible;
      }),
    );
    const judged = some.slice(0, 500).map((property) => ({ property, decision: catalog.decideSync(property) }));
    const asked = judged.flatMap(({ property, decision }) =>
      decision.verdicts
        .filter(({ status }) => status === 'ineligible' || status === 'referral')
        .slice(0, 3)
        .map(({ carrierKey }) => ({ property, carrierKey })),
    );
    row(
      `what would change one answer, ${missing}`,
      time(asked, ({ property, carrierKey }) => {
        read += whatWouldChange(catalog, property, { carrierKey }).ways.length;
      }),
    );
    row(
      `next questions, ${missing}`,
      time(some, (property) => {
        read += catalog.decideSync(property).nextQuestions.length;
      }),
    );
  }
  if (read === 0) throw new Error('Nothing was read.');
  return rows;
}

/** Decisions and a book of carriers that use the constructs of real guides. */
export function measureGuides(carriers: readonly BenchmarkCarrier[], homes: readonly Facts[], seed: number): Row[] {
  const complete = toLocatedProperties(withDetails(homes, 0, seed), seed);
  const missing = toLocatedProperties(withDetails(withMissing(homes, 0.1, seed), 0.1, seed), seed);
  return [false, true].flatMap((all) => {
    const catalog = createGuideCatalog(carriers, seed, all);
    const uses = `lists, arithmetic${all ? ', terms, areas, events and tiers' : ' and terms'}`;
    const decisions = (some: readonly Property[]) => time(some.slice(0, 300), decideAndRead(catalog), 5);
    return [
      { name: `decisions of 50 carriers that use ${uses}, complete`, median: decisions(complete), unit: 'µs' },
      { name: `decisions of 50 carriers that use ${uses}, 10 % missing`, median: decisions(missing), unit: 'µs' },
      { name: `book of 100,000 homes from columns, ${uses}`, median: timeBook(catalog, missing, 100_000), unit: 'ms' },
    ];
  });
}

/** The first decision, which builds the tables, and later ones. */
export function measureManyCarriers(seed: number, count: number, homes: HomesByMissing): Row[] {
  const catalog = createCatalog(toRuleSets(createCarriers(seed, count)).map((file) => ({ file })));
  const rows: Row[] = [];
  const row = (name: string, value: number) => rows.push({ name, median: value, unit: 'ms' });
  const [first] = homes[0]![1];
  const start = performance.now();
  decideAndRead(catalog)(first!);
  row(`first decision of ${count} carriers for one policy type`, performance.now() - start);
  for (const [missing, all] of homes) {
    // Fewer homes would measure how V8 warms up.
    const some = all.slice(0, 1000);
    row(`decisions of ${count} carriers, exact, ${missing}`, time(some, decideAndRead(catalog), 5) / 1000);
    if (count < 1000) continue;
    const each = some.map((property) => {
      const begun = performance.now();
      decideAndRead(catalog)(property);
      return performance.now() - begun;
    });
    row(`the longest of those, ${missing}`, Math.max(...each));
  }
  return rows;
}
