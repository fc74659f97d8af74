import { type Catalog, createProperty, requestSchemaOf, type Vocabulary } from '@leeward/engine';
import {
  distanceNames,
  ENGINE_VERSION,
  factIndex,
  type Leaf,
  MAX_DISTANCE,
  readComputed,
  sourceOfProperty,
  toMeters,
  valueFact,
} from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import type { CoastSource } from '../coast/compile-coast.ts';
import { ARTIFACT_FORMAT, type Manifest, type ManifestInput } from '../format/manifest.ts';
import { programOf } from '../tables/arithmetic-program.ts';
import type { BuiltTables } from '../tables/built-tables.ts';
import type { TableInput } from '../tables/table-inputs.ts';
import { RequestMessages } from './request-messages.ts';

const DAYS_UNTIL_EFFECTIVE = { moment: 'days_until_effective' } as const;

/** The range of dates of an artifact, and other entries of its manifest. */
export interface ManifestOptions {
  readonly from: string;
  readonly to: string;
  /** @default left out, so that equal rules give equal bytes */
  readonly created?: Date | undefined;
  /** Sources of its data. @default without a coast */
  readonly coast?: readonly CoastSource[] | undefined;
}

/** In the order of the coast kernel's layers. */
const MEASURED_FIELDS = [
  'distance_to_tidal_water_meters',
  'distance_to_ocean_meters',
  'distance_to_mean_high_water_meters',
];

/** Describes tables for readers without a vocabulary. */
export function manifestOf(catalog: Catalog, tables: BuiltTables, options: ManifestOptions): Manifest {
  const { vocabulary } = catalog;
  const messages = new RequestMessages(vocabulary);
  const { fields, policyTypes, policyTypeSpellings, relations, givenTogether, line } = vocabulary;
  const { rules, intervals } = reasonsOf(tables);
  const isTested = (name: string) => tables.inputs.some((input) => input.name === name);
  const inputs = tables.inputs.map((input) => ({
    ...manifestInput(input, vocabulary, messages),
    ...rangesByCount(input, tables, options),
  }));
  const sets = new Set(inputs.flatMap(({ set }) => set ?? []));
  return {
    format: ARTIFACT_FORMAT,
    made_by: `leeward ${ENGINE_VERSION}`,
    line,
    created: options.created?.toISOString() ?? null,
    from: options.from,
    to: options.to,
    policy_types: [...policyTypes],
    policy_type_spellings: policyTypeSpellings,
    states: states.map(({ code, name, timeZone }) => ({ code, name, zone: timeZone })),
    fields: [...new Set(fields.flatMap(({ requestName, givenAs }) => [requestName, ...(givenAs ? [givenAs] : [])]))],
    inputs,
    sets: Object.fromEntries(
      [...sets].map((set) => {
        const words = factIndex(vocabulary)
          .sets.get(set)!
          .members.map(({ member }) => member!.word);
        return [set, { words, faults: messages.ofSet(set, words) }];
      }),
    ),
    faults: placeMessages(messages, vocabulary, options),
    relations: relations.flatMap(({ lower, higher }) =>
      isTested(lower) && isTested(higher) ? [[lower, higher] as [string, string]] : [],
    ),
    given_together: givenTogether
      .filter((pair) => inputs.some(({ column }) => pair.includes(column)))
      .map(([a, b]) => [a, b] as [string, string])
      .concat(options.coast ? [['lat', 'lng']] : []),
    carriers: catalog.carriers.map(({ key, name, versions }) => ({
      key,
      name,
      versions: versions
        .map(({ ruleSet }) => ruleSet)
        .filter(
          ({ effectiveFrom, effectiveUntil }) =>
            effectiveFrom <= options.to && (effectiveUntil === undefined || effectiveUntil > options.from),
        )
        .map(({ version, sha256, effectiveFrom, effectiveUntil }) => ({
          version,
          sha256,
          from: effectiveFrom,
          until: effectiveUntil ?? null,
        })),
    })),
    intervals,
    rules,
    not_compiled: tables.notCompiled.map(({ carrier, version, policyType, fact, why }) => ({
      carrier,
      version,
      policy_type: policyType,
      fact: fact ?? null,
      why,
    })),
    coast: options.coast
      ? { sources: options.coast.map((source) => ({ ...source })), fields: [...MEASURED_FIELDS] }
      : null,
    licences: (options.coast ?? []).map(({ attribution }) => attribution),
  };
}

/** Rules once each, and for each reason number of the tables the place of its rule. */
function reasonsOf({ intervals }: BuiltTables): Pick<Manifest, 'rules' | 'intervals'> {
  const rules: Manifest['rules'][number][] = [];
  const places = new Map<string, number>();
  const placeOf = (rule: Manifest['rules'][number]) => {
    const key = JSON.stringify(rule);
    const place = places.get(key) ?? rules.push(rule) - 1;
    places.set(key, place);
    return place;
  };
  return {
    intervals: intervals.map(({ from, until, effectiveYear, types }) => ({
      from,
      until,
      effective_year: effectiveYear,
      types: types.map(({ reasons }) => ({
        reasons: reasons.map((reason) => placeOf({ ...reason, inputs: [...reason.inputs] })),
      })),
    })),
    rules,
  };
}

function placeMessages(
  messages: RequestMessages,
  { policyTypes, givenTogether, fields }: Vocabulary,
  { from, to, coast }: ManifestOptions,
): Manifest['faults'] {
  const isMeasured = fields.some(({ name }) => name === distanceNames[0][1]);
  const pairs = givenTogether.flatMap(([a, b]) => [
    [a, messages.ofPair(b, a)] as const,
    [b, messages.ofPair(a, b)] as const,
  ]);
  return {
    state: messages.ofState(),
    county: messages.ofText('county'),
    policy_type: {
      ...messages.ofWords('policy_type', policyTypes),
      required: `policy_type is required; give one of: ${policyTypes.join(', ')}.`,
    },
    as_of: messages.ofText('as_of'),
    effective_date: {
      ...messages.ofText('effective_date'),
      dates_not_covered: `effective_date is {value}; this artifact has the dates from ${from} to ${to}.`,
    },
    ...(isMeasured ? { distance: messages.ofDistances(distanceNames[3][0], distanceNames[0][0]) } : {}),
    ...Object.fromEntries(pairs),
    ...(coast ? { lat: messages.ofDegrees('lat', 'lng'), lng: messages.ofDegrees('lng', 'lat') } : {}),
  };
}

function manifestInput(input: TableInput, vocabulary: Vocabulary, messages: RequestMessages): ManifestInput {
  const { name, source, words } = input;
  const base = input.base === undefined ? {} : { base: input.base };
  const common = { name, ...base, ...(words ? { words: [...words] } : {}) };
  if (source.kind === 'as_of') return { ...common, column: 'as_of', kind: 'as_of' };
  if (source.kind === 'host') return { ...common, column: '', kind: 'host' };
  if (source.kind !== 'field') {
    const { needs } = source;
    const program = source.kind === 'computed' && source.program !== undefined ? { program: source.program } : {};
    const test = source.kind === 'test' ? testOf(source.leaf, vocabulary) : undefined;
    const moment = source.kind === 'computed' && source.computed.kind === 'moment' ? DAYS_UNTIL_EFFECTIVE : {};
    return {
      ...common,
      column: name,
      kind: 'computed',
      needs: [...needs],
      ...program,
      ...(test ? { test } : {}),
      ...moment,
    };
  }
  const field = vocabulary.fields[source.field]!;
  const { label, unit, form, member, spellings, givenAs, requestName, schema } = field;
  const described = { ...common, label, ...(unit === undefined ? {} : { unit }) };
  // At a certainty, only ranges are given.
  if (source.certainty !== undefined) return { ...described, column: name, kind: 'computed', needs: [field.name] };
  if (givenAs !== undefined) {
    const columns = distanceNames
      .filter(([, distance]) => distance === field.name)
      .map(([column, , each]) => {
        const [min, max] = [0, MAX_DISTANCE[each]];
        return { name: column, factor: toMeters(1, each), min, max, faults: messages.ofNumber(column, { min, max }) };
      });
    return { ...described, column: givenAs, kind: 'number', columns };
  }
  const column = requestName;
  if (!schema || !Object.hasOwn(requestSchemaOf(vocabulary).shape, column))
    return { ...described, column: '', kind: 'host' };
  if (member) return { ...described, column, kind: 'set_word', set: member.set, word: member.word };
  const domain = field.domain({ effectiveYear: 2000 });
  if (form) return { ...described, column, kind: form.name, faults: messages.ofForm(column) };
  if (domain.kind === 'words') {
    const faults = messages.ofWords(column, domain.words);
    return { ...described, column, kind: 'word', ...(spellings ? { spellings } : {}), faults };
  }
  if (unit !== 'year') return { ...described, column, kind: 'number', faults: messages.ofNumber(column, domain) };
  const isAge = vocabulary.derivedFacts.some((fact) => fact.name === column && fact.field === field.name);
  return {
    ...described,
    column,
    kind: 'number',
    form: isAge ? 'age_or_year' : 'year',
    faults: messages.ofYear(column),
  };
}

/** Ranges of a number of an unknown list by the number of its items: at most two of two claims are of water. */
function rangesByCount({ source }: TableInput, { vocabulary, inputs }: BuiltTables, { from, to }: ManifestOptions) {
  if (source.kind !== 'computed' || source.computed.kind !== 'aggregate') return {};
  const { computed } = source;
  const field = computed.list.countedBy?.field;
  const input = inputs.findIndex(({ name }) => name === field);
  const domain = vocabulary.fields
    .find(({ name }) => name === field)
    ?.domain({ effectiveYear: Number(from.slice(0, 4)) });
  if (field === undefined || input < 0 || domain?.kind !== 'numbers') return {};
  const rangesOn = (effectiveDate: string) =>
    Array.from({ length: domain.max + 1 }, (_, count): [number, number] => {
      const values = { [field]: count };
      const property = createProperty({ vocabulary, state: states[0]!.code, effectiveDate, asOfMs: 0, values });
      const { min, max } = readComputed(computed, sourceOfProperty(property));
      return [min, max];
    });
  const ranges = rangesOn(from);
  return JSON.stringify(ranges) === JSON.stringify(rangesOn(to)) ? { by_count: { input, ranges } } : {};
}

/** A test of two numbers as programs; undefined for other facts. */
function testOf({ fact, operator, value, path }: Leaf, vocabulary: Vocabulary): ManifestInput['test'] {
  const other = valueFact(value);
  if (!other || other.path !== undefined || path !== undefined) return undefined;
  const of = [fact, other.fact].map((name) => {
    const reference = factIndex(vocabulary).find(name);
    const isNumber =
      reference && reference.kind !== 'place' && reference.field.domain({ effectiveYear: 2000 }).kind === 'numbers';
    return isNumber ? programOf({ kind: 'fact', fact: name }, vocabulary) : undefined;
  });
  const [left, right] = of;
  return left === undefined || right === undefined ? undefined : { operator, of: [left, right] };
}
