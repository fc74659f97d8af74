import { requestSchemaOf, type Vocabulary } from '@leeward/engine';
import { coordinateLimits, distanceNames, toMeters } from '@leeward/engine/compiled';
import { checkState, states } from '@leeward/places/counties';
import { checkDate, checkInstant, isGiven, withoutBlanks } from '@leeward/terms';
import type { ListColumn } from './book-columns.ts';

/** A missing value in a column of numbers. */
export const EMPTY = Number.NaN;
/** The row must be read separately: it is faulty as a request, or columns cannot hold its value. */
export const DOUBTFUL = Number.NEGATIVE_INFINITY;

const MAX_KEPT = 1 << 16;

/** Converts the values of a request field to numbers of a column. */
export interface ValueResolver {
  /** Number of a missing value: `EMPTY`, or `DOUBTFUL` if the field is required. */
  readonly empty: number;
  /** Numbers that are used unchanged; `empty` is then `EMPTY`. */
  readonly plain: { readonly min: number; readonly max: number; readonly integer: boolean } | undefined;
  resolve(value: unknown): number;
}

const stateNumbers = new Map(states.map(({ code }, index) => [code, index]));

const plainCoordinates = {
  lat: { min: -coordinateLimits.lat, max: coordinateLimits.lat, integer: false },
  lng: { min: -coordinateLimits.lng, max: coordinateLimits.lng, integer: false },
};

/** A resolver that applies the schema of requests once for each distinct value. */
function createResolver(
  vocabulary: Vocabulary,
  name: string,
  empty: number,
  numberOf: (value: unknown) => number,
  plain: ValueResolver['plain'] = undefined,
): ValueResolver {
  const schema = requestSchemaOf(vocabulary).shape[name]!;
  const cache = new Map<unknown, number>();
  const apply = (value: unknown): number => {
    if (!isGiven(value)) return empty;
    const read = schema.safeParse(withoutBlanks(schema, value));
    if (!read.success) return DOUBTFUL;
    return read.data === undefined ? empty : numberOf(read.data);
  };
  return {
    empty,
    plain,
    resolve(value) {
      // Coordinates differ in each row, so they are not cached. −0 becomes 0.
      if (plain && typeof value === 'number' && isPlainNumber(value, plain)) return value + 0;
      if (typeof value === 'object') return apply(value);
      let number = cache.get(value);
      if (number !== undefined) return number;
      number = apply(value);
      if (cache.size >= MAX_KEPT) cache.clear();
      cache.set(value, number);
      return number;
    },
  };
}

function isPlainNumber(value: number, { min, max, integer }: NonNullable<ValueResolver['plain']>): boolean {
  return value >= min && value <= max && (!integer || Number.isInteger(value));
}

type OtherColumn = 'state' | 'policyType' | 'lat' | 'lng' | 'asOf' | 'effectiveDate' | 'address' | 'check';

/** A list of the vocabulary. Values become indexes in `lists`. */
export interface ListTarget {
  readonly list: number;
  readonly lists: ListColumn['lists'];
}

export interface ResolverTarget {
  /** Index in `BookColumns.fields`, or another column. */
  readonly column: number | OtherColumn | ListTarget;
  readonly resolver: ValueResolver;
}

/** The columns that a field of a request fills, with the results of `parseRequest` in the year of an effective date. */
export function resolversOf(name: string, vocabulary: Vocabulary, effectiveYear: number): readonly ResolverTarget[] {
  switch (name) {
    // Counties depend on the state: see `county-filler.ts`.
    case 'county':
      return [];
    case 'as_of':
      return [{ column: 'asOf', resolver: createResolver(vocabulary, name, EMPTY, instantNumber) }];
    case 'effective_date':
      return [{ column: 'effectiveDate', resolver: createResolver(vocabulary, name, EMPTY, dayNumber) }];
    case 'state':
      return [{ column: 'state', resolver: createResolver(vocabulary, name, DOUBTFUL, stateNumber) }];
    case 'policy_type':
      return [
        {
          column: 'policyType',
          resolver: createResolver(vocabulary, name, DOUBTFUL, (word) =>
            vocabulary.policyTypes.indexOf(word as string),
          ),
        },
      ];
    case 'lat':
    case 'lng':
      return [{ column: name, resolver: createResolver(vocabulary, name, EMPTY, Number, plainCoordinates[name]) }];
    case 'radius_meters':
      // Columns have points, not circles.
      return [{ column: 'check', resolver: createResolver(vocabulary, name, EMPTY, () => DOUBTFUL) }];
    case 'address':
      return [{ column: name, resolver: createResolver(vocabulary, name, EMPTY, () => DOUBTFUL) }];
  }
  const distance = distanceNames.find(([distanceName]) => distanceName === name);
  const place = distance ? vocabulary.fields.findIndex((field) => field.name === distance[1]) : -1;
  if (place >= 0) {
    return [
      {
        column: place,
        resolver: createResolver(vocabulary, name, EMPTY, (length) => toMeters(length as number, distance![2])),
      },
    ];
  }
  const list = vocabulary.lists?.findIndex((each) => each.name === name) ?? -1;
  if (list >= 0) return [listTarget(vocabulary, name, list)];
  const targets = vocabulary.fields.flatMap((field, column): ResolverTarget[] => {
    const { resolve, requestName, schema, isPlain } = field;
    if (requestName !== name || !schema || !resolve) return [];
    const domain = field.domain({ effectiveYear });
    const words = domain.kind === 'words' ? new Map(domain.words.map((word, index) => [word, index + 1])) : undefined;
    const numberOf = (value: unknown): number => {
      const resolved = resolve(value, { effectiveYear });
      if (typeof resolved === 'object') return DOUBTFUL;
      return typeof resolved === 'number' ? resolved : (words?.get(resolved) ?? DOUBTFUL);
    };
    const plain = isPlain === true && domain.kind === 'numbers' ? domain : undefined;
    return [{ column, resolver: createResolver(vocabulary, name, EMPTY, numberOf, plain) }];
  });
  // The field fills no column, for example a flag of HTTP answers. Its value is only checked.
  return targets.length > 0
    ? targets
    : [{ column: 'check', resolver: createResolver(vocabulary, name, EMPTY, () => EMPTY) }];
}

function listTarget(vocabulary: Vocabulary, name: string, list: number): ResolverTarget {
  const lists: ListColumn['lists'] = [];
  const numbers = new Map<string, number>();
  const add = (items: ListColumn['lists'][number]): number => {
    // Equal lists are shared, so that what rules compute from them is computed once.
    const key = JSON.stringify(items);
    const number = numbers.get(key) ?? lists.push(items) - 1;
    numbers.set(key, number);
    return number;
  };
  const resolver = createResolver(vocabulary, name, EMPTY, (items) => add(items as ListColumn['lists'][number]));
  return { column: { list, lists }, resolver };
}

function stateNumber(text: unknown): number {
  const state = checkState(text);
  return 'value' in state ? stateNumbers.get(state.value.code)! : DOUBTFUL;
}

function instantNumber(text: unknown): number {
  const instant = checkInstant('as_of', text);
  return 'value' in instant ? instant.value.ms : DOUBTFUL;
}

const MS_A_DAY = 86_400_000;

function dayNumber(text: unknown): number {
  const date = checkDate('effective_date', text);
  return 'value' in date ? Date.parse(`${date.value}T00:00:00Z`) / MS_A_DAY : DOUBTFUL;
}
