/**
 * Conformance vectors. Homes as a user writes them, with the answers of the engine, are a sample: inside terms of all carriers, with unknown
 * fields, dates around each border, spellings and faults. Probes are many more homes, as tables read them, with the answers of the kernel:
 * see `probe-homes.ts`. `benchmarks/artifact/mutants.ts` measures which changes of the tables they find.
 */
import type { Catalog } from '@leeward/engine';
import { type ProbeValues, probeDigests } from '../format/probe-homes.ts';
import { createKernel } from '../kernel/create-kernel.ts';
import type { BuiltTables } from '../tables/built-tables.ts';
import { type Lookups, lookupsOf } from './lookups.ts';
import { probeValues } from './probe-values.ts';
import { homesByDate, homesByPlace, homesByYear, homesInOtherWords, homesWithGaps } from './special-homes.ts';
import { TypeHomes } from './type-homes.ts';
import type { VectorWriter } from './vector-homes.ts';
import { VectorList, type WrittenVectors } from './vector-list.ts';

/** The content of the section `leeward.vectors`. */
export interface ConformanceVectors extends WrittenVectors {
  readonly spellings: Lookups;
  readonly probes: ProbeValues & {
    readonly digests: readonly (readonly (readonly [statuses: number, reasons: number])[])[];
  };
}

/** Homes of a policy type in an interval that are inside a term. */
const MAX_BASES = 300;

/** Writes the vectors of a catalog and its tables. Equal rules give equal vectors. */
export function buildVectors(catalog: Catalog, tables: BuiltTables): ConformanceVectors {
  const list = new VectorList(catalog, tables);
  const lookups = lookupsOf(tables);
  const ambiguous = new Map(
    Object.entries(lookups.counties).map(([state, byFips]) => [
      state,
      Object.entries(byFips).flatMap(([fips, texts]) => (fips.includes(' ') ? texts : [])),
    ]),
  );
  const everyCarrier = [...catalog.carriers.keys()];
  let isFirst = true;
  for (const [index, interval] of tables.intervals.entries()) {
    for (const type of tables.vocabulary.policyTypes.keys()) {
      const homes = new TypeHomes(list.writer, tables, interval, type);
      if (homes.cells.places.length === 0) continue;
      for (const cells of homes.bases(MAX_BASES)) list.add(homes.homeOf(cells), everyCarrier);
      for (const home of homesWithGaps(homes)) list.add(home);
      for (const home of homesByDate(homes)) list.add(home);
      if (index === 0) for (const home of homesByPlace(homes, homes.ordinary, ambiguous)) list.add(home);
      if (index === 0) for (const home of homesByYear(homes, tables)) list.add(home, everyCarrier);
      if (isFirst) for (const home of homesInOtherWords(homes, tables)) list.add(home);
      isFirst = false;
    }
  }
  return { ...list.finish(), spellings: lookups, probes: probesOf(list.writer, tables) };
}

function probesOf(writer: VectorWriter, tables: BuiltTables): ConformanceVectors['probes'] {
  const { inputs, intervals, vocabulary, image } = tables;
  const probes = probeValues(tables, writer);
  const areWords = inputs.map(({ kind }) => kind === 'word');
  const policyTypes = vocabulary.policyTypes.length;
  const sums = [...probeDigests(createKernel(image), probes, { areWords, intervals: intervals.length, policyTypes })];
  const digests = intervals.map((_, index) => sums.slice(index * policyTypes, (index + 1) * policyTypes));
  return { ...probes, digests };
}
