import { type County, checkCounty, checkState, countyHint, type State } from '@leeward/places/counties';
import {
  type Checked,
  checkDate,
  checkInstant,
  dateInZone,
  type Fault,
  type Instant,
  instantOf,
  isGiven,
  isObject,
  pointer,
  quoteValue,
  unknownKeyFaults,
  type Warning,
  withoutBlanks,
} from '@leeward/terms';
import type { z } from 'zod';
import { createVocabulary } from '../vocabulary/fact-index.ts';
import type { DomainContext } from '../vocabulary/field.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { countRecent, type WrittenItem } from '../vocabulary/list-field.ts';
import { toMeters } from '../vocabulary/shore-distances.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { writeFields } from '../vocabulary/write-fields.ts';
import { distanceNames } from './distance-names.ts';
import {
  type Evidence,
  type EvidenceFault,
  evidenceSubjects,
  hasEvidenceForm,
  readEvidence,
  writeEvidence,
} from './evidence.ts';
import type { Knowledge } from './knowledge.ts';
import { createProperty, type Property } from './property.ts';
import { locationOfFootprint, type PropertyLocation } from './property-location.ts';
import { type Location, readLocation } from './read-where.ts';
import { createRequestSchema } from './schema.ts';

/** Options of {@link parseRequest}. */
export interface ParseOptions {
  /** Default of `as_of`, and reference of dates without one. */
  readonly now: Date;
  /** @default `homeVocabulary` */
  readonly vocabulary?: Vocabulary;
}

/** A checked underwriting request: the property, and options for the answer. */
export interface UnderwritingRequest extends Location {
  readonly property: Property;
  /** The normalized request in wire names. Sending it again gives the same answer. */
  readonly home: Readonly<Record<string, unknown>>;
  readonly asOf: string;
  readonly effectiveDate: string;
  readonly warnings: readonly Warning[];
  readonly includeDeclined: boolean;
  readonly includeNotOffered: boolean;
  readonly explain: boolean;
}

/** A valid request, or all of its faults, each with a JSON Pointer into the body. */
export type ParsedRequest =
  | { readonly ok: true; readonly request: UnderwritingRequest }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const schemas = new WeakMap<Vocabulary, z.ZodObject>();

/**
 * Returns the zod schema of a line's requests. `parseRequest` also takes each field, set and list in the form
 * `{ "value", "as_of", "source" }`.
 *
 * @example z.toJSONSchema(requestSchemaOf(homeVocabulary), { io: 'input' });
 */
export function requestSchemaOf(vocabulary: Vocabulary): z.ZodObject {
  let schema = schemas.get(vocabulary);
  if (!schema) {
    schema = createRequestSchema(createVocabulary(vocabulary));
    schemas.set(vocabulary, schema);
  }
  return schema;
}

const positions = new WeakMap<Vocabulary, ReadonlyMap<string, number>>();

/** The fields of a request body, in the order of the schema. */
function namesIn(body: Readonly<Record<string, unknown>>, vocabulary: Vocabulary): readonly string[] {
  let order = positions.get(vocabulary);
  if (!order) {
    order = new Map(Object.keys(requestSchemaOf(vocabulary).shape).map((name, position) => [name, position]));
    positions.set(vocabulary, order);
  }
  const positionOf = order;
  return Object.keys(body)
    .filter((name) => positionOf.has(name))
    .sort((a, b) => positionOf.get(a)! - positionOf.get(b)!);
}

/**
 * Checks and normalizes an underwriting request of any shape. Reports all faults at once.
 *
 * @example
 *  const parsed = parseRequest({ state: 'fl', year_built: 1987 }, { now: new Date() });
 *  if (parsed.ok) console.log(catalog.decideSync(parsed.request.property).verdicts);
 *  else console.log(parsed.faults);
 */
export function parseRequest(body: unknown, options: ParseOptions): ParsedRequest {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  if (!isObject(body)) {
    const message = `The request is ${quoteValue(body)}; give a JSON object with at least "state".`;
    return { ok: false, faults: [{ path: '', code: 'invalid_type', message }] };
  }
  const { shape } = requestSchemaOf(vocabulary);
  const faults: Fault[] = unknownKeys(body, shape);
  const inputs: Record<string, unknown> = {};
  const read = new Map<string, unknown>();
  const invalid = new Set<string>();
  const withEvidence = new Map<string, Record<string, unknown>>();
  // Each field separately, so that one fault does not hide another.
  for (const name of namesIn(body, vocabulary)) {
    if (!isGiven(body[name])) continue;
    let input = body[name];
    if (hasEvidenceForm(input) && evidenceSubjects(vocabulary).has(name)) {
      if (!checkEvidenceForm(name, input, faults)) continue;
      withEvidence.set(name, input);
      input = input['value'];
    }
    const schema = shape[name] as z.ZodType;
    inputs[name] = withoutBlanks(schema, input);
    const parsed = schema.safeParse(inputs[name]);
    if (parsed.success) read.set(name, parsed.data);
    else {
      invalid.add(name);
      // One fault per footprint.
      const issues = name === 'footprint' ? parsed.error.issues.slice(0, 1) : parsed.error.issues;
      for (const issue of issues) faults.push(faultOfIssue(name, issue, withEvidence.has(name)));
    }
  }
  const value = (name: string): unknown => read.get(name);

  const state = readState(value('state'), invalid, faults);
  const asOf = readAsOf(value('as_of'), options.now, faults);
  const effectiveDate = readEffectiveDate(value('effective_date'), asOf, state, faults);
  const context: DomainContext = { effectiveYear: Number(effectiveDate.slice(0, 4)) };
  const warnings: Warning[] = [];
  const values = readFields(vocabulary, value, context, faults);
  const lists = readLists(vocabulary, value);
  const evidence = withEvidence.size === 0 ? undefined : readAllEvidence(vocabulary, withEvidence, asOf.ms, faults);
  checkGivenTogether(vocabulary, inputs, faults);
  checkDistances(inputs, faults);
  const distances = readDistances(vocabulary, value, values);
  const { address, point, footprint } = readLocation(inputs, value, faults);
  if (faults.length > 0 || !state) return { ok: false, faults };

  const county = value('county') as string | undefined;
  const place = readCounty(county, state, warnings);
  const policyType = value('policy_type') as string | undefined;
  warnAboutRelations(vocabulary, values, distances, warnings);
  if (lists) warnAboutCounts(vocabulary, values, lists, effectiveDate, warnings);
  if (evidence) warnAboutAges(vocabulary, value, evidence, effectiveDate, warnings);
  const property = createProperty({
    vocabulary,
    policyType,
    state: state.code,
    counties: place?.map((each) => each.fips),
    values: lists ? { ...values, ...lists } : values,
    evidence,
    asOfMs: asOf.ms,
    effectiveDate,
    isLocated: point !== undefined || footprint !== undefined,
    location: locationOf(point, footprint),
  });
  const home: Record<string, unknown> = { state: state.code };
  if (policyType !== undefined) home['policy_type'] = policyType;
  // An ambiguous name is echoed unchanged: the name of either county would exclude the other.
  if (place !== undefined) home['county'] = place.length === 1 ? place[0]?.name : county?.trim().toLowerCase();
  writeFields(vocabulary, (name) => asPlain(values[name]), context, home);
  Object.assign(home, lists, distances);
  for (const name of withEvidence.keys()) {
    const own = evidence?.[evidenceSubjects(vocabulary).get(name)!.name];
    if (own && home[name] !== undefined) home[name] = writeEvidence(home[name], own);
  }
  if (address !== undefined) home['address'] = address;
  if (point !== undefined) Object.assign(home, point);
  if (footprint !== undefined) home['footprint'] = footprint;
  return {
    ok: true,
    request: {
      property,
      home,
      asOf: asOf.text,
      effectiveDate,
      warnings,
      includeDeclined: (value('include_declined') as boolean | undefined) ?? true,
      includeNotOffered: (value('include_not_offered') as boolean | undefined) ?? false,
      explain: (value('explain') as boolean | undefined) ?? false,
      address,
      point,
      footprint,
    },
  };
}

function locationOf(point: Location['point'], footprint: Location['footprint']): PropertyLocation | undefined {
  if (footprint !== undefined) return locationOfFootprint(footprint);
  return point && { latitude: point.lat, longitude: point.lng, radiusMeters: point.radius_meters ?? 0 };
}

function asPlain(knowledge: Knowledge): number | string | undefined {
  return typeof knowledge === 'object' ? undefined : knowledge;
}

function unknownKeys(body: Readonly<Record<string, unknown>>, shape: Readonly<Record<string, unknown>>): Fault[] {
  const keys = Object.keys(body).filter((key) => !Object.hasOwn(shape, key) && !key.startsWith('x_'));
  return keys.length === 0 ? [] : unknownKeyFaults([{ path: [], keys, allowed: Object.keys(shape) }]).faults;
}

function faultOfIssue(name: string, issue: z.core.$ZodIssue, hasEvidence: boolean): Fault {
  const path = pointer(name, ...(hasEvidence ? ['value'] : []), ...(issue.path as (string | number)[]));
  if (name === 'footprint') {
    const message =
      issue.code === 'custom' ? `footprint: ${issue.message}` : 'footprint is a GeoJSON Polygon or MultiPolygon.';
    return { path: '/footprint', code: 'invalid_footprint', message };
  }
  if (name === 'address') {
    const message = 'address is one line of text, or { "line1", "city", "state", "zipcode" } with text in each.';
    return { path: '/address', code: 'invalid_address', message };
  }
  if (issue.code === 'custom')
    return { path, code: String(issue.params?.['code'] ?? 'invalid'), message: issue.message };
  return { path, code: issue.code, message: issue.message };
}

/** Reports what is wrong with the form of a value with evidence. Returns false if there is no value to read. */
function checkEvidenceForm(name: string, input: Readonly<Record<string, unknown>>, faults: Fault[]): boolean {
  const keys = Object.keys(input).filter((key) => !evidenceKeys.includes(key) && !key.startsWith('x_'));
  if (keys.length > 0) faults.push(...unknownKeyFaults([{ path: [name], keys, allowed: evidenceKeys }]).faults);
  if (isGiven(input['value'])) return true;
  const part = evidenceKeys.find((key) => key !== 'value' && isGiven(input[key]));
  if (part === undefined && Object.hasOwn(input, 'value')) return false;
  const has = part === undefined ? 'no value' : `${part} but no value`;
  const message = `${name} has ${has}; give the value too, or leave out ${name}.`;
  faults.push({ path: pointer(name, 'value'), code: 'required', message });
  return false;
}

const evidenceKeys: readonly string[] = ['value', 'as_of', 'source'];

function readAllEvidence(
  vocabulary: Vocabulary,
  inputs: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  asOfMs: number,
  faults: Fault[],
): Record<string, Evidence> {
  const evidence: Record<string, Evidence> = {};
  for (const [name, input] of inputs) {
    const own: EvidenceFault[] = [];
    const read = readEvidence(name, { as_of: input['as_of'], source: input['source'] }, asOfMs, own);
    faults.push(...own.map(({ key, ...fault }) => ({ path: pointer(name, key), ...fault })));
    if (read) evidence[evidenceSubjects(vocabulary).get(name)!.name] = read;
  }
  return evidence;
}

/** Warns if an age is given with the date of an earlier year: it may be the age at that date. */
function warnAboutAges(
  { fields, derivedFacts }: Vocabulary,
  value: (name: string) => unknown,
  evidence: Readonly<Record<string, Evidence>>,
  effectiveDate: string,
  warnings: Warning[],
): void {
  const effectiveYear = Number(effectiveDate.slice(0, 4));
  for (const { name, requestName, resolve } of fields) {
    const year = Number(evidence[name]?.asOf?.slice(0, 4) ?? effectiveYear);
    const input = value(requestName);
    const isAge = derivedFacts.some((each) => each.name === requestName && each.field === name);
    if (!isAge || year >= effectiveYear || typeof input !== 'number') continue;
    const resolved = resolve?.(input, { effectiveYear });
    if (resolved !== effectiveYear - input) continue;
    const message = `${requestName} is ${input}, the age at ${effectiveDate}: the year ${resolved}. If it was the age in ${year}, give the year ${year - input}.`;
    warnings.push({ path: pointer(requestName, 'value'), code: 'age_with_earlier_date', message });
  }
}

function readState(text: unknown, wrong: ReadonlySet<string>, faults: Fault[]): State | undefined {
  if (wrong.has('state')) return undefined;
  if (text === undefined) {
    const message = 'state is required; give a state name or its abbreviation.';
    faults.push({ path: '/state', code: 'required', message });
    return undefined;
  }
  return valueOr(undefined, '/state', checkState(text), faults);
}

/** Reports a fault and returns `fallback`, so that later faults are found too. */
function valueOr<Value, Fallback>(
  fallback: Fallback,
  path: string,
  checked: Checked<Value>,
  faults: Fault[],
): Value | Fallback {
  if ('value' in checked) return checked.value;
  faults.push({ path, ...checked });
  return fallback;
}

function readAsOf(text: unknown, now: Date, faults: Fault[]): Instant {
  const fallback = instantOf(now);
  return text === undefined ? fallback : valueOr(fallback, '/as_of', checkInstant('as_of', text), faults);
}

function readEffectiveDate(text: unknown, asOf: Instant, state: State | undefined, faults: Fault[]): string {
  const checked = text === undefined ? undefined : checkDate('effective_date', text);
  if (checked && 'value' in checked) return checked.value;
  if (checked) faults.push({ path: '/effective_date', ...checked });
  return dateInZone(asOf.ms, state?.timeZone ?? 'UTC');
}

function readFields(
  vocabulary: Vocabulary,
  value: (name: string) => unknown,
  context: DomainContext,
  faults: Fault[],
): Record<string, Knowledge> {
  const values: Record<string, Knowledge> = {};
  for (const field of vocabulary.fields) {
    if (!field.schema || !field.resolve) continue;
    const input = value(field.requestName);
    if (input === undefined) continue;
    const resolved = field.resolve(input, context);
    if (typeof resolved === 'object') faults.push({ path: pointer(field.requestName), ...resolved });
    else values[field.name] = resolved;
  }
  return values;
}

function readLists(
  { lists = [] }: Vocabulary,
  value: (name: string) => unknown,
): Record<string, readonly WrittenItem[]> | undefined {
  let itemsByName: Record<string, readonly WrittenItem[]> | undefined;
  for (const { name } of lists) {
    const items = value(name) as readonly WrittenItem[] | undefined;
    if (items !== undefined) itemsByName = { ...itemsByName, [name]: items };
  }
  return itemsByName;
}

/** Warns if a list has more or fewer items than the field that counts them. */
function warnAboutCounts(
  { lists = [], fields }: Vocabulary,
  values: Readonly<Record<string, Knowledge>>,
  itemsByName: Readonly<Record<string, readonly WrittenItem[]>>,
  effectiveDate: string,
  warnings: Warning[],
): void {
  for (const { name, countedBy } of lists) {
    const items = itemsByName[name];
    const count = countedBy && values[countedBy.field];
    if (!countedBy || !items || typeof count !== 'number') continue;
    const [min, max] = countRecent(items, countedBy, effectiveDate);
    if (count >= min && count <= max) continue;
    const field = fields.find((each) => each.name === countedBy.field)!;
    const message = `${field.requestName} is ${count}, but ${name} has ${min === max ? min : `${min} to ${max}`} in the last ${countedBy.years} years; both are used as given.`;
    warnings.push({ path: pointer(field.requestName), code: 'inconsistent', message });
  }
}

function checkGivenTogether(vocabulary: Vocabulary, body: Readonly<Record<string, unknown>>, faults: Fault[]): void {
  for (const [a, b] of vocabulary.givenTogether) {
    for (const [present, absent] of [
      [a, b],
      [b, a],
    ] as const) {
      if (!Object.hasOwn(body, present) || Object.hasOwn(body, absent)) continue;
      const message = `${absent} is required when ${present} is given; give both, or neither.`;
      faults.push({ path: pointer(absent), code: 'required_with', message });
    }
  }
}

function readDistances(
  vocabulary: Vocabulary,
  value: (name: string) => unknown,
  values: Record<string, Knowledge>,
): Record<string, number> {
  const echoed: Record<string, number> = {};
  for (const [name, field, unit] of distanceNames) {
    const distance = value(name);
    if (typeof distance !== 'number' || !vocabulary.fields.some((each) => each.name === field)) continue;
    values[field] = toMeters(distance, unit);
    echoed[name] = distance;
  }
  return echoed;
}

/** Two names for one distance are a fault, even with equal values. */
function checkDistances(body: Readonly<Record<string, unknown>>, faults: Fault[]): void {
  const first = new Map<string, string>();
  for (const [name, field] of distanceNames) {
    if (!Object.hasOwn(body, name)) continue;
    const other = first.get(field);
    if (other === undefined) first.set(field, name);
    else {
      const message = `${name} and ${other} are the same distance; give one of them.`;
      faults.push({ path: pointer(name), code: 'distance_given_twice', message });
    }
  }
}

/** Counties that a name can mean; empty if none is in the state, undefined without a name. */
function readCounty(text: string | undefined, state: State, warnings: Warning[]): readonly County[] | undefined {
  if (text === undefined) return undefined;
  const result = checkCounty(state, text);
  if (!('value' in result)) {
    const hint = countyHint(state.code, text);
    const message = `${quoteValue(text)} is not a county of ${state.name}, so no verdict is given.${hint}`;
    warnings.push({ path: '/county', code: result.code, message });
    return [];
  }
  if (result.value.length > 1) {
    const labels = result.value.map((county) => county.label).join(' and ');
    const message = `county is ${quoteValue(text)}, which can be ${labels}; both are considered.`;
    warnings.push({ path: '/county', code: 'ambiguous_county', message });
  }
  return result.value;
}

function warnAboutRelations(
  vocabulary: Vocabulary,
  values: Readonly<Record<string, Knowledge>>,
  distances: Readonly<Record<string, number>>,
  warnings: Warning[],
): void {
  for (const { lower, higher } of vocabulary.relations) {
    const low = values[lower];
    const high = values[higher];
    if (typeof low !== 'number' || typeof high !== 'number' || high >= low) continue;
    const field = (name: string) => vocabulary.fields.find((each) => each.name === name)!;
    const [a, b] = [field(higher), field(lower)];
    const path = pointer(
      distanceNames.find(([name, field]) => field === higher && Object.hasOwn(distances, name))?.[0] ?? a.requestName,
    );
    const print = (each: typeof a, value: number) => `${each.label} (${value}${each.unit === 'meters' ? ' m' : ''})`;
    const message = `${print(a, high)} is below ${print(b, low)}; both values are used as given.`;
    warnings.push({ path, code: 'inconsistent', message });
  }
}
