/**
 * Conformance vectors: homes as a user writes them, with the answers of the engine. They have cells of the axes at both ends, unknown fields,
 * dates around each border, spellings and faults. A sample: `benchmarks/artifact/mutants.ts` measures which changes of the tables they find.
 * `sweeps.ts` explains the choice of homes.
 */
import type { Catalog } from '@leeward/engine';
import type { BuiltTables } from '../tables/built-tables.ts';
import { type Lookups, lookupsOf } from './lookups.ts';
import {
  homesByDate,
  homesByNamedCounty,
  homesByPlace,
  homesByRelation,
  homesByState,
  homesInOtherWords,
  homesWithGaps,
} from './special-homes.ts';
import { Coverage, type Sweep, SweepChooser } from './sweeps.ts';
import { PLACE_AXIS } from './type-cells.ts';
import { TypeHomes } from './type-homes.ts';
import { VectorList, type WrittenVectors } from './vector-list.ts';

/** The content of the section `leeward.vectors`. */
export interface ConformanceVectors extends WrittenVectors {
  readonly spellings: Lookups;
}

/** Maximum number of homes of a policy type whose axes are varied, in addition to an ordinary one. */
const MAX_BASES = 120;
/** Rows of sweeps of a policy type in an interval, after which none is added. */
const MAX_ROWS = 1200;
/** New cells of terms that a row of a sweep must cover: the best sweeps are chosen first. */
const MIN_GAINS = [60, 15, 4, 1];

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
  const coverage = new Coverage();
  let isFirst = true;
  for (const [index, interval] of tables.intervals.entries()) {
    for (const type of tables.vocabulary.policyTypes.keys()) {
      const homes = new TypeHomes(list.writer, tables, interval, type);
      if (homes.cells.places.length === 0) continue;
      addSweeps(list, homes, new SweepChooser(homes.cells, coverage, keysOf(tables, homes, type)));
      for (const home of homesWithGaps(homes)) list.add(home);
      for (const home of homesByState(homes)) list.add(home, everyCarrier);
      for (const home of homesByNamedCounty(homes)) list.add(home, everyCarrier);
      for (const home of homesByDate(homes)) list.add(home);
      if (index === 0) {
        for (const home of homesByRelation(homes, tables)) list.addIfNew(home, everyCarrier);
        for (const home of homesByPlace(homes, homes.ordinary, ambiguous)) list.add(home);
        for (const home of homesByPlace(homes, list.homeWithMaxDeclines(homes), ambiguous))
          list.add(home, everyCarrier);
      }
      if (isFirst) for (const home of homesInOtherWords(homes, tables)) list.add(home);
      isFirst = false;
    }
  }
  return { ...list.finish(), spellings: lookups };
}

function addSweeps(list: VectorList, homes: TypeHomes, chooser: SweepChooser): void {
  const bases = homes.bases(MAX_BASES);
  const end = list.length + MAX_ROWS;
  for (const minGain of MIN_GAINS) {
    for (const base of bases) {
      if (list.length >= end) return;
      for (const sweep of chooser.choose(base, homes.axes, minGain)) addSweep(list, homes, sweep);
    }
  }
}

function addSweep(list: VectorList, homes: TypeHomes, { base, axis, reasons }: Sweep): void {
  for (const [cell, carriers] of reasons.entries()) {
    const cells = new Map(base).set(axis, cell);
    const [low, high] = [homes.homeOf(cells, axis, 0), homes.homeOf(cells, axis, 1)];
    if (low) list.add(low, carriers);
    if (high && homes.cells.bounds.has(axis)) list.add(high, carriers);
  }
}

/** Returns the key of a term: equal terms of one carrier and policy type have equal keys on all dates. */
function keysOf(
  { vocabulary }: BuiltTables,
  { cells, interval }: TypeHomes,
  type: number,
): ConstructorParameters<typeof SweepChooser>[2] {
  const { lanes, reasonLanes, reasons } = interval.types[type]!;
  const all = [
    ...lanes.map((lane) => ({ lane, name: `status ${lane.target}` })),
    ...reasonLanes.map((lane) => {
      const { kind, carrier, id } = reasons[lane.target]!;
      return { lane, name: `${kind} ${carrier} ${id}` };
    }),
  ];
  return (cellLane, term) => {
    const { lane, name } = all[cells.lanes.indexOf(cellLane)]!;
    if (term === undefined) return `${vocabulary.policyTypes[type]} ${name}`;
    const parts = [...lane.declining, ...lane.referring][term]!.map((part) => {
      const own = lane.space.axes[part.axis];
      return [own?.input ?? PLACE_AXIS, own?.bounds?.join(' ') ?? '', part.cells.join(' ')];
    });
    return `${vocabulary.policyTypes[type]} ${name} ${JSON.stringify(parts)}`;
  };
}
