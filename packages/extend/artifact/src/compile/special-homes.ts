/** Homes that sweeps of cells leave out: missing fields, places, dates, spellings, forms of numbers, and faults. */
import type { Vocabulary } from '@leeward/engine';
import { distanceNames } from '@leeward/engine/compiled';
import { countiesOf, states } from '@leeward/places/counties';
import type { BuiltTables } from '../tables/built-tables.ts';
import { PLACE_AXIS } from './type-cells.ts';
import type { TypeHomes } from './type-homes.ts';
import type { VectorHome } from './vector-homes.ts';

/** Homes whose fields are left out one by one. */
const BASES = 12;
const RANDOM_HOMES = 60;
/** Homes whose bounding field is varied. */
const RELATION_BASES = 10;
/** Homes that are put into each county that a rule names. */
const COUNTY_BASES = 3;
const MS_AN_HOUR = 3_600_000;
const MS_A_DAY = 86_400_000;
/** One state in each time zone, and its midnight in UTC. */
const ZONES = ['fl', 'tx', 'ca', 'hi', 'pr'];
const MIDNIGHTS = [4, 5, 6, 7, 8, 9, 10];

/** Cells that no field of its kind can have, and some that need care. */
const FAULTS: readonly unknown[] = [
  true,
  '§',
  'x1',
  -1,
  0.5,
  900,
  10_000,
  1e12,
  '1e3',
  '1999-02-29',
  [],
  ['§', 7],
  'a'.repeat(300),
  '\ud800',
];

function without(home: VectorHome, isOmitted: (input: number) => boolean): VectorHome {
  return { ...home, values: new Map([...home.values].filter(([input]) => !isOmitted(input))) };
}

/** Homes with missing fields: all but the required ones, one, and some at random. */
export function* homesWithGaps(homes: TypeHomes): Iterable<VectorHome> {
  const bases = homes.bases(BASES).flatMap((cells) => homes.homeOf(cells) ?? []);
  const [ordinary] = bases as [VectorHome];
  yield { ...ordinary, values: new Map(), county: undefined };
  const tested = homes.axes.filter((axis) => axis !== PLACE_AXIS);
  for (const base of bases) {
    yield { ...base, county: undefined };
    for (const axis of tested) if (base.values.has(axis)) yield without(base, (input) => input === axis);
  }
  for (let count = 0; count < RANDOM_HOMES; count++) {
    const cells = new Map(homes.axes.map((axis) => [axis, homes.pick(homes.cells.sizes.get(axis)!)]));
    const home = homes.homeOf(cells);
    if (home) yield without({ ...home, county: count % 4 === 0 ? undefined : home.county }, () => homes.pick(4) === 0);
  }
}

/** Homes without a field that a relation bounds, at both ends of every cell of the other field, where some rule tests the bounded one. */
export function* homesByRelation(homes: TypeHomes, { inputs, vocabulary }: BuiltTables): Iterable<VectorHome> {
  const numberOf = (name: string) => inputs.findIndex((input) => input.name === name);
  const pairs = vocabulary.relations.map(({ lower, higher }) => [numberOf(lower), numberOf(higher)] as const);
  for (const [bounding, bounded] of pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])) {
    const cells = homes.cells.bounds.get(bounding)?.length ?? 0;
    const bases = cells === 0 ? [] : homes.bases(RELATION_BASES, bounded);
    for (const base of bases) {
      for (let cell = 0; cell < cells; cell++) {
        for (const end of [0, 1] as const) {
          const home = homes.homeOf(new Map(base).set(bounding, cell), bounding, end);
          if (home) yield without(home, (input) => input === bounded);
        }
      }
    }
  }
}

/** An ordinary home, and homes inside many terms at once, each in all states where a carrier is offered: its offers show in all rules. */
export function* homesByState(homes: TypeHomes): Iterable<VectorHome> {
  const placesOf = Map.groupBy(homes.cells.places.keys(), (cell) => homes.cells.places[cell]!.state);
  for (const base of homes.coverOfRules()) {
    for (const places of placesOf.values()) {
      for (const cell of new Set([places[0]!, places.at(-1)!])) {
        const home = homes.homeOf(new Map(base).set(PLACE_AXIS, cell));
        if (home) yield home;
      }
    }
  }
  for (const state of placesOf.keys()) yield { ...homes.ordinary, state, county: undefined };
}

/** Homes inside many terms at once in all counties that a rule names. */
export function* homesByNamedCounty(homes: TypeHomes): Iterable<VectorHome> {
  for (const base of homes.coverOfRules().slice(0, COUNTY_BASES)) {
    for (const cell of homes.cells.places.keys()) {
      const home = homes.homeOf(new Map(base).set(PLACE_AXIS, cell));
      if (home) yield home;
    }
  }
}

/** A home in every county where a carrier is offered, in all states, and in places that are unclear. */
export function* homesByPlace(
  homes: TypeHomes,
  home: VectorHome,
  ambiguous: ReadonlyMap<string, readonly string[]>,
): Iterable<VectorHome> {
  const offered = new Set(homes.cells.places.map(({ state }) => state));
  for (const { code: state } of states) {
    yield { ...home, state, county: undefined };
    if (!offered.has(state)) continue;
    for (const [index, { fips, label, name }] of countiesOf(state).entries()) {
      yield { ...home, state, county: [label, fips, name][index % 3]! };
    }
    for (const county of [...(ambiguous.get(state) ?? []), 'Nowhere']) yield { ...home, state, county };
  }
}

/** Homes on both sides of the borders of an interval, and without an effective date around midnight. */
export function* homesByDate(homes: TypeHomes): Iterable<VectorHome> {
  const { from, until } = homes.interval;
  const last = new Date(Date.parse(until) - MS_A_DAY).toISOString().slice(0, 10);
  for (const cells of homes.bases(BASES)) {
    const home = homes.homeOf(cells);
    if (home) for (const effectiveDate of [from, last]) yield { ...home, effectiveDate };
  }
  const home = homes.ordinary;
  for (const state of ZONES) {
    for (const hour of MIDNIGHTS) {
      const midnight = Date.parse(from) + MS_A_DAY + hour * MS_AN_HOUR;
      for (const asOfMs of [midnight - 1, midnight])
        yield { ...home, state, county: undefined, effectiveDate: undefined, asOfMs };
    }
  }
}

/** Other ways to write a home, and cells with faults, field by field. */
export function* homesInOtherWords(homes: TypeHomes, { inputs, vocabulary }: BuiltTables): Iterable<VectorHome> {
  const base = homes.ordinary;
  const columns = new Set<string>();
  for (const [number, { source, words, kind }] of inputs.entries()) {
    if (source.kind !== 'field' || source.certainty !== undefined) continue;
    const { requestName, schema, form, givenAs, member } = vocabulary.fields[source.field]!;
    if (givenAs !== undefined) {
      const values = new Map([...base.values].filter(([input]) => input !== number));
      const names = distanceNames.filter(([, field]) => field === vocabulary.fields[source.field]!.name);
      for (const [name] of names)
        for (const cell of [0, 1, '2.5', 12.75, ...FAULTS]) yield { ...base, values, cells: { [name]: cell } };
      yield { ...base, values, cells: { [names[0]![0]]: 1, [names[1]![0]]: 5280 } };
    }
    if (!schema || columns.has(requestName)) continue;
    columns.add(requestName);
    const cells = member
      ? setWords(requestName, vocabulary)
      : words && !form
        ? words.flatMap((word) => [word.toUpperCase(), word.replaceAll(' ', '-'), `${word}q`])
        : kind === 'number'
          ? [5, '7', ' 12 ', 26, 27, 28, 99, 2004]
          : [true, false];
    for (const cell of [...cells, ...FAULTS]) yield { ...base, cells: { [requestName]: cell } };
  }
  for (const [a, b] of vocabulary.givenTogether)
    for (const name of [a, b]) yield { ...base, cells: { [name]: undefined } };
  for (const name of ['state', 'county', 'as_of', 'effective_date']) {
    for (const cell of [...FAULTS, 'Texs', '2150-01-01x', '2026-02-30']) yield { ...base, cells: { [name]: cell } };
  }
  for (const { name, code } of states)
    yield { ...base, county: undefined, cells: { state: code === 'tx' ? 'State of Texas' : ` ${name}` } };
  for (const cell of [...FAULTS, ...vocabulary.policyTypes.map((type) => type.toUpperCase())])
    yield { ...base, cells: { policy_type: cell } };
}

function setWords(set: string, { fields }: Vocabulary): readonly unknown[] {
  const words = fields.flatMap(({ member }) => (member?.set === set ? [member.word] : []));
  return [...words.map((word) => [word.toUpperCase()]), [words[0], `${words[0]}q`]];
}
