import { createProperty, type Property, requestSchemaOf, type Vocabulary } from '@leeward/engine';
import {
  type Box,
  type CompiledProgram,
  cellsOf,
  countyName,
  factIndex,
  NO,
  PLACE,
  typicalValue,
  valueFact,
  writeFields,
} from '@leeward/engine/compiled';
import type { AskedAt } from './asked-at.ts';
import { valueNear } from './cell-values.ts';
import type { WitnessHome } from './finding.ts';

/** A home of a box, as a request has it and as the engine judges it. */
export interface Witness {
  readonly home: WitnessHome;
  readonly property: Property;
}

/** Homes tried where tests of fact against fact leave it open which of a box will do. */
const MAX_TRIES = 300;

/**
 * Finds a home of a box that is accepted by `accept`: every field that the program tests is given, the
 * rest of the home is ordinary, or as `wanted` has it by field. Undefined where none was found.
 */
export function findWitness(
  program: CompiledProgram,
  box: Box,
  at: AskedAt,
  accept: (property: Property) => boolean,
  wanted: ReadonlyMap<string, number | string> = new Map(),
): Witness | undefined {
  let tries = 0;
  for (const values of candidates(program, box, wanted)) {
    if (++tries > MAX_TRIES) return undefined;
    const witness = witnessOf(program, box, values, at);
    if (witness && accept(witness.property)) return witness;
  }
  return undefined;
}

type Values = ReadonlyMap<string, number | string>;

function* candidates(program: CompiledProgram, box: Box, wanted: Values): Generator<Values> {
  const first = ordinaryValues(program, box, wanted);
  yield first;
  const pairs = comparedFields(program);
  if (pairs.length === 0) return;
  // One fact is compared with another: try them equal, and to either side of each other.
  for (const [left, right] of pairs) {
    for (const step of [0, 1, -1, 20, -20, 100_000, -100_000]) {
      for (const [moved, fixed] of [
        [left, right],
        [right, left],
      ] as const) {
        const base = first.get(fixed);
        if (typeof base !== 'number') continue;
        const values = new Map(first);
        values.set(moved, valueInBox(program, box, moved, base + step));
        yield values;
      }
    }
  }
}

function ordinaryValues(program: CompiledProgram, box: Box, wanted: Values): Map<string, number | string> {
  const { vocabulary, effectiveYear } = program;
  const names = new Set<string>();
  program.axes.forEach((known, axis) => {
    if (axis !== PLACE && known && known.field >= 0) names.add(known.axis.name);
  });
  for (const pair of comparedFields(program)) for (const name of pair) names.add(name);
  const values = new Map<string, number | string>();
  for (const name of names) {
    values.set(name, valueInBox(program, box, name, wanted.get(name) ?? typicalValue(vocabulary, name, effectiveYear)));
  }
  // A roof no older than its house, where the box has room for it.
  for (const { lower, higher } of vocabulary.relations) {
    const low = values.get(lower);
    const high = values.get(higher);
    if (typeof low !== 'number' || typeof high !== 'number' || high >= low) continue;
    const raised = wanted.has(higher) ? high : (valueInBox(program, box, higher, low) as number);
    values.set(higher, raised);
    if (raised < low && !wanted.has(lower)) values.set(lower, valueInBox(program, box, lower, raised));
  }
  return values;
}

function valueInBox(program: CompiledProgram, box: Box, name: string, wanted: number | string): number | string {
  const axis = program.axes.findIndex((known) => known?.field !== -1 && known?.axis.name === name);
  if (axis > 0) return valueNear(program.axes[axis]!.axis, box[axis]!, wanted);
  const domain = program.vocabulary.fields.find((field) => field.name === name)!.domain(program);
  if (domain.kind === 'words' || typeof wanted !== 'number') return wanted;
  return Math.min(domain.max, Math.max(domain.min, wanted));
}

/** Fields that some test compares with each other. */
function comparedFields(program: CompiledProgram): [string, string][] {
  const index = factIndex(program.vocabulary);
  const fieldOf = (fact: string) => {
    const reference = index.find(fact);
    return reference && reference.kind !== 'place' ? reference.field.name : undefined;
  };
  const pairs: [string, string][] = [];
  for (const known of program.axes) {
    const other = valueFact(known?.test?.value);
    if (!known?.test) continue;
    const left = fieldOf(known.test.fact);
    const right = other ? fieldOf(other.fact) : left;
    if (left !== undefined && right !== undefined) pairs.push([left, right]);
    else if ((left ?? right) !== undefined) pairs.push([(left ?? right)!, (left ?? right)!]);
  }
  return pairs;
}

/**
 * The home as a request has it, and the property that such a request makes: of the same values, so that nobody reads it again
 * for every question.
 */
function witnessOf(program: CompiledProgram, box: Box, values: Values, at: AskedAt): Witness | undefined {
  const { vocabulary, effectiveYear, policyType } = program;
  const place = program.place.samples[cellsOf(box[PLACE]!)[0] ?? -1];
  if (!place) return undefined;
  const home: Record<string, unknown> = { state: place.state, county: countyName(place.state, place.county) };
  const given: Record<string, number | string> = {};
  for (const field of vocabulary.fields) {
    const value = values.get(field.name);
    if (value === undefined || field.schema) continue;
    const view = vocabulary.derivedFacts.find(
      (derived) => derived.field === field.name && isRequestName(derived.name, vocabulary),
    );
    if (!view) continue;
    const told = Math.min(view.view(value as number, { effectiveYear }), 12_450);
    home[view.name] = told;
    given[field.name] = view.toField?.(told) ?? value;
  }
  // Of a set that is tested, the words that are not are left out.
  const { sets } = factIndex(vocabulary);
  const isMeant = (set: string) => sets.get(set)!.members.some(({ name }) => values.has(name));
  const members = membersOf(vocabulary);
  const known = (name: string) => {
    const set = members.get(name);
    return values.get(name) ?? (set !== undefined && isMeant(set) ? NO : undefined);
  };
  for (const name of writeFields(vocabulary, known, { effectiveYear }, home)) given[name] = known(name)!;
  addPartners(home, given, vocabulary, effectiveYear);
  try {
    const property = createProperty({
      vocabulary,
      policyType,
      state: place.state,
      counties: [place.county],
      values: given,
      asOfMs: at.asOfMs,
      effectiveDate: at.effectiveDate,
    });
    return { home: { ...home, policy_type: policyType }, property };
  } catch (error) {
    // What no request may say is no home.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const setsOfMembers = new WeakMap<Vocabulary, ReadonlyMap<string, string>>();

/** Names of the sets that fields are words of. */
function membersOf(vocabulary: Vocabulary): ReadonlyMap<string, string> {
  const known = setsOfMembers.get(vocabulary);
  if (known) return known;
  const members = new Map(
    vocabulary.fields.flatMap(({ name, member }): [string, string][] => (member ? [[name, member.set]] : [])),
  );
  setsOfMembers.set(vocabulary, members);
  return members;
}

/** Fields that are only given together. */
function addPartners(
  home: Record<string, unknown>,
  given: Record<string, number | string>,
  vocabulary: Vocabulary,
  effectiveYear: number,
): void {
  for (const pair of vocabulary.givenTogether) {
    if (!pair.some((name) => name in home)) continue;
    for (const name of pair) {
      if (name in home) continue;
      const partners = new Set(vocabulary.fields.flatMap((each) => (each.requestName === name ? [each.name] : [])));
      const typical = (field: string) =>
        partners.has(field) ? typicalValue(vocabulary, field, effectiveYear) : undefined;
      for (const field of writeFields(vocabulary, typical, { effectiveYear }, home)) given[field] = typical(field)!;
    }
  }
}

function isRequestName(name: string, vocabulary: Vocabulary): boolean {
  return Object.hasOwn(requestSchemaOf(vocabulary).shape, name);
}
