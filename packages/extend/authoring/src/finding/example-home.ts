import { createProperty, type Property, requestSchemaOf, type Vocabulary } from '@leeward/engine';
import {
  axisLimits,
  type Box,
  type CompiledProgram,
  cellsOf,
  countyName,
  evidenceSubjects,
  factIndex,
  fieldsOfAxis,
  NO,
  PLACE,
  typicalValue,
  valueFact,
  writeEvidence,
  writeFields,
} from '@leeward/engine/compiled';
import type { AskedAt } from './asked-at.ts';
import { valueNear } from './cell-values.ts';
import { eventsInBox } from './example-events.ts';
import { evidenceInBox, subjectsOf } from './example-evidence.ts';
import { type ExampleLists, isInBox, listsInBox } from './example-lists.ts';
import { locationInBox } from './example-locations.ts';
import type { ExampleHome } from './finding.ts';

export interface Example {
  readonly home: ExampleHome;
  readonly property: Property;
}

/** Maximum number of homes tried in one box. Tests of one fact against another need several. */
const MAX_TRIES = 300;

/**
 * Finds a home of a box that `accept` accepts. Every tested field has a value in the box, as near as possible to `targets` or to the
 * field's typical value. A target of a count is exact.
 *
 * @returns Undefined if none was found.
 */
export function findExample(
  program: CompiledProgram,
  box: Box,
  at: AskedAt,
  accept: (property: Property) => boolean,
  targets: ReadonlyMap<string, number | string> = new Map(),
): Example | undefined {
  let tries = 0;
  const lists = listsInBox(program, box, at.effectiveDate, targets);
  for (const values of candidates(program, box, targets, at, lists)) {
    if (++tries > MAX_TRIES) return undefined;
    const example = exampleOf(program, box, values, at, lists);
    if (example && accept(example.property)) return example;
  }
  return undefined;
}

type Values = ReadonlyMap<string, number | string>;

function* candidates(
  program: CompiledProgram,
  box: Box,
  targets: Values,
  at: AskedAt,
  lists: ExampleLists,
): Generator<Values> {
  const first = ordinaryValues(program, box, targets);
  yield first;
  yield* computedCandidates(program, box, first, at, lists);
  const pairs = comparedFields(program);
  if (pairs.length === 0) return;
  // One fact is compared with another: try equal values, and each of them larger.
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

/** Moves the fields of arithmetic to the values at which its result changes. */
function* computedCandidates(
  program: CompiledProgram,
  box: Box,
  first: Values,
  at: AskedAt,
  lists: ExampleLists,
): Generator<Values> {
  const { vocabulary } = program;
  let values = first;
  for (const entry of program.axes) {
    if (entry?.computed?.kind !== 'operation') continue;
    const property = exampleOf(program, box, values, at, lists)?.property;
    if (!property) return;
    for (const index of fieldsOfAxis(entry, vocabulary)) {
      const { name } = vocabulary.fields[index]!;
      for (const limit of axisLimits(entry, index, property)) {
        const moved = new Map(values);
        moved.set(name, valueInBox(program, box, name, limit));
        yield moved;
        if (isInBox(entry, box[program.axes.indexOf(entry)]!, exampleOf(program, box, moved, at, lists)?.property)) {
          values = moved;
        }
      }
    }
  }
}

function ordinaryValues(program: CompiledProgram, box: Box, targets: Values): Map<string, number | string> {
  const { vocabulary, effectiveYear } = program;
  const names = new Set<string>();
  program.axes.forEach((entry, axis) => {
    if (axis !== PLACE && entry && entry.field >= 0) names.add(entry.axis.name);
    if (entry?.computed) for (const index of fieldsOfAxis(entry, vocabulary)) names.add(vocabulary.fields[index]!.name);
  });
  for (const name of subjectsOf(program).fields) names.add(name);
  for (const pair of comparedFields(program)) for (const name of pair) names.add(name);
  const values = new Map<string, number | string>();
  for (const name of names) {
    values.set(
      name,
      valueInBox(program, box, name, targets.get(name) ?? typicalValue(vocabulary, name, effectiveYear)),
    );
  }
  // Keep the relations, for example a roof that is not older than its house, if the box allows it.
  for (const { lower, higher } of vocabulary.relations) {
    const low = values.get(lower);
    const high = values.get(higher);
    if (typeof low !== 'number' || typeof high !== 'number' || high >= low) continue;
    const raised = targets.has(higher) ? high : (valueInBox(program, box, higher, low) as number);
    values.set(higher, raised);
    if (raised < low && !targets.has(lower)) values.set(lower, valueInBox(program, box, lower, raised));
  }
  return values;
}

function valueInBox(program: CompiledProgram, box: Box, name: string, target: number | string): number | string {
  const axis = program.axes.findIndex((entry) => entry?.field !== -1 && entry?.axis.name === name);
  if (axis > 0) return valueNear(program.axes[axis]!.axis, box[axis]!, target);
  const domain = program.vocabulary.fields.find((field) => field.name === name)!.domain(program);
  if (domain.kind === 'words' || typeof target !== 'number') return target;
  return Math.min(domain.max, Math.max(domain.min, target));
}

function comparedFields(program: CompiledProgram): [string, string][] {
  const index = factIndex(program.vocabulary);
  const fieldOf = (fact: string) => {
    const reference = index.find(fact);
    return reference && reference.kind !== 'place' ? reference.field.name : undefined;
  };
  const pairs: [string, string][] = [];
  for (const entry of program.axes) {
    const other = valueFact(entry?.test?.value);
    if (!entry?.test) continue;
    const left = fieldOf(entry.test.fact);
    const right = other ? fieldOf(other.fact) : left;
    if (left !== undefined && right !== undefined) pairs.push([left, right]);
    else if ((left ?? right) !== undefined) pairs.push([(left ?? right)!, (left ?? right)!]);
  }
  return pairs;
}

function exampleOf(
  program: CompiledProgram,
  box: Box,
  values: Values,
  at: AskedAt,
  lists: ExampleLists,
): Example | undefined {
  const { vocabulary, effectiveYear, policyType } = program;
  const place = program.place.samples[cellsOf(box[PLACE]!)[0] ?? -1];
  if (!place) return undefined;
  const home: Record<string, unknown> = { state: place.state, county: countyName(place.state, place.county) };
  const propertyValues: Record<string, number | string> = {};
  for (const field of vocabulary.fields) {
    const fieldValue = values.get(field.name);
    if (fieldValue === undefined || field.schema) continue;
    const view = vocabulary.derivedFacts.find(
      (derived) => derived.field === field.name && isRequestName(derived.name, vocabulary),
    );
    if (!view) continue;
    const value = Math.min(view.view(fieldValue as number, { effectiveYear }), 12_450);
    home[view.name] = value;
    propertyValues[field.name] = view.toField?.(value) ?? fieldValue;
  }
  // If some words of a set have a value, its other words are not in the set.
  const { sets } = factIndex(vocabulary);
  const isMeant = (set: string) => sets.get(set)!.members.some(({ name }) => values.has(name));
  const members = membersOf(vocabulary);
  const fieldValueOf = (name: string) => {
    const set = members.get(name);
    return values.get(name) ?? (set !== undefined && isMeant(set) ? NO : undefined);
  };
  for (const name of writeFields(vocabulary, fieldValueOf, { effectiveYear }, home))
    propertyValues[name] = fieldValueOf(name)!;
  addPartners(home, propertyValues, vocabulary, effectiveYear);
  Object.assign(home, lists);
  const evidence = evidenceInBox(program, box, at.effectiveDate);
  const within = cachedLocation(program, box);
  const example = eventsInBox(program, box, at, place.county, within);
  const location = within ?? example?.location;
  // Requests ignore names that begin with x_; the events show what the example depends on.
  if (example) home['x_events'] = example.events;
  if (location) Object.assign(home, { lat: location.latitude, lng: location.longitude });
  addEvidence(home, evidence, vocabulary);
  try {
    const property = createProperty({
      vocabulary,
      policyType,
      state: place.state,
      counties: [place.county],
      values: { ...propertyValues, ...lists },
      evidence,
      location,
      isLocated: location !== undefined,
      events: example?.events,
      asOfMs: at.asOfMs,
      effectiveDate: at.effectiveDate,
    });
    return { home: { ...home, policy_type: policyType }, property };
  } catch (error) {
    // A request could not contain these values.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Writes evidence with its values. Evidence of a missing value is left out. */
function addEvidence(home: Record<string, unknown>, evidence: Property['evidence'], vocabulary: Vocabulary): void {
  for (const [name, own] of Object.entries(evidence ?? {})) {
    const { requestName } = evidenceSubjects(vocabulary).get(name)!;
    if (home[requestName] !== undefined) home[requestName] = writeEvidence(home[requestName], own);
  }
}

const locations = new WeakMap<Box, { readonly program: CompiledProgram; readonly location: Property['location'] }>();

/** Many homes of one box are tried. */
function cachedLocation(program: CompiledProgram, box: Box): Property['location'] {
  let cached = locations.get(box);
  if (cached?.program !== program) {
    cached = { program, location: locationInBox(program, box) };
    locations.set(box, cached);
  }
  return cached.location;
}

const setsOfMembers = new WeakMap<Vocabulary, ReadonlyMap<string, string>>();

function membersOf(vocabulary: Vocabulary): ReadonlyMap<string, string> {
  const cached = setsOfMembers.get(vocabulary);
  if (cached) return cached;
  const members = new Map(
    vocabulary.fields.flatMap(({ name, member }): [string, string][] => (member ? [[name, member.set]] : [])),
  );
  setsOfMembers.set(vocabulary, members);
  return members;
}

/** Adds the fields that a request may only have together with fields of this home. */
function addPartners(
  home: Record<string, unknown>,
  values: Record<string, number | string>,
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
      for (const field of writeFields(vocabulary, typical, { effectiveYear }, home)) values[field] = typical(field)!;
    }
  }
}

function isRequestName(name: string, vocabulary: Vocabulary): boolean {
  return Object.hasOwn(requestSchemaOf(vocabulary).shape, name);
}
