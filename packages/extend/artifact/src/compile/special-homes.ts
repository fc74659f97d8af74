/** Homes with missing fields, places, dates, spellings, forms of numbers, and faults. */
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
/** Homes whose years are written in other forms, and these forms. */
const YEAR_BASES = 8;
const YEARS = [0, 5, '26', 27, 40, 99, 120, 200];
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
  const bases = homes.bases(BASES).map((cells) => homes.homeOf(cells));
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
    yield without({ ...home, county: count % 4 === 0 ? undefined : home.county }, () => homes.pick(4) === 0);
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
    for (const effectiveDate of [from, last]) yield { ...home, effectiveDate };
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

/** Homes inside terms that test a year, with ages and years of two digits: their meaning shows in the answers. */
export function* homesByYear(homes: TypeHomes, { inputs, vocabulary }: BuiltTables): Iterable<VectorHome> {
  for (const [number, { source }] of inputs.entries()) {
    if (source.kind !== 'field' || !homes.cells.sizes.has(number)) continue;
    const { requestName, unit } = vocabulary.fields[source.field]!;
    if (unit !== 'year') continue;
    for (const base of homes.bases(YEAR_BASES, number)) {
      for (const cell of YEARS) yield { ...homes.homeOf(base), cells: { [requestName]: cell } };
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
