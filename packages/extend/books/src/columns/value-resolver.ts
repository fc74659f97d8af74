import { coordinateLimits, distanceNames, requestSchemaOf, toMeters, type Vocabulary } from '@leeward/engine';
import { checkState, states } from '@leeward/places/counties';
import { checkDate, checkInstant, isGiven, withoutBlanks } from '@leeward/terms';

/** What stands in a column of the engine where nothing was given. */
export const EMPTY = Number.NaN;
/** The row must be read by itself: as a request it has a fault, or something that columns do not carry. */
export const DOUBTFUL = Number.NEGATIVE_INFINITY;

/** Answers that are kept. */
const MAX_KEPT = 1 << 16;

/** How the values of one field of a request become numbers of one column of the engine. */
export interface ValueResolver {
  /** Of no value: `EMPTY`, or `DOUBTFUL` where there must be one. */
  readonly empty: number;
  /** Numbers that stand for themselves, and `empty` is `EMPTY`; undefined where there are none. */
  readonly plain: { readonly min: number; readonly max: number; readonly integer: boolean } | undefined;
  resolve(value: unknown): number;
}

const stateNumbers = new Map(states.map(({ code }, index) => [code, index]));

const plainCoordinates = {
  lat: { min: -coordinateLimits.lat, max: coordinateLimits.lat, integer: false },
  lng: { min: -coordinateLimits.lng, max: coordinateLimits.lng, integer: false },
};

/** A resolver that asks the very schema of requests, once a distinct value. */
function remembering(
  vocabulary: Vocabulary,
  name: string,
  empty: number,
  numberOf: (value: unknown) => number,
  plain: ValueResolver['plain'] = undefined,
): ValueResolver {
  const schema = requestSchemaOf(vocabulary).shape[name]!;
  const known = new Map<unknown, number>();
  const ask = (value: unknown): number => {
    if (!isGiven(value)) return empty;
    const read = schema.safeParse(withoutBlanks(schema, value));
    if (!read.success) return DOUBTFUL;
    return read.data === undefined ? empty : numberOf(read.data);
  };
  return {
    empty,
    plain,
    resolve(value) {
      // Coordinates are distinct for each row: not to be kept. −0 becomes 0.
      if (plain && typeof value === 'number' && isPlainNumber(value, plain)) return value + 0;
      if (typeof value === 'object') return ask(value);
      let number = known.get(value);
      if (number !== undefined) return number;
      number = ask(value);
      if (known.size >= MAX_KEPT) known.clear();
      known.set(value, number);
      return number;
    },
  };
}

function isPlainNumber(value: number, { min, max, integer }: NonNullable<ValueResolver['plain']>): boolean {
  return value >= min && value <= max && (!integer || Number.isInteger(value));
}

/** A target of a request's field among the columns of the engine. */
export interface ResolverTarget {
  /** Place in `BookColumns.fields`, or the column of its own. */
  readonly column: number | 'state' | 'policyType' | 'lat' | 'lng' | 'asOf' | 'effectiveDate' | 'address' | 'check';
  readonly resolver: ValueResolver;
}

/** What a field of a request fills, read as `parseRequest` reads it at the year of an effective date. */
export function resolversOf(name: string, vocabulary: Vocabulary, effectiveYear: number): readonly ResolverTarget[] {
  switch (name) {
    // By pairs with the state.
    case 'county':
      return [];
    case 'as_of':
      return [{ column: 'asOf', resolver: remembering(vocabulary, name, EMPTY, instantNumber) }];
    case 'effective_date':
      return [{ column: 'effectiveDate', resolver: remembering(vocabulary, name, EMPTY, dayNumber) }];
    case 'state':
      return [{ column: 'state', resolver: remembering(vocabulary, name, DOUBTFUL, stateNumber) }];
    case 'policy_type':
      return [
        {
          column: 'policyType',
          resolver: remembering(vocabulary, name, DOUBTFUL, (word) => vocabulary.policyTypes.indexOf(word as string)),
        },
      ];
    case 'lat':
    case 'lng':
      return [{ column: name, resolver: remembering(vocabulary, name, EMPTY, Number, plainCoordinates[name]) }];
    case 'address':
      return [{ column: name, resolver: remembering(vocabulary, name, EMPTY, () => DOUBTFUL) }];
  }
  const distance = distanceNames.find(([given]) => given === name);
  const place = distance ? vocabulary.fields.findIndex((field) => field.name === distance[1]) : -1;
  if (place >= 0) {
    return [
      {
        column: place,
        resolver: remembering(vocabulary, name, EMPTY, (given) => toMeters(given as number, distance![2])),
      },
    ];
  }
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
    return [{ column, resolver: remembering(vocabulary, name, EMPTY, numberOf, plain) }];
  });
  // Right or wrong, and nothing else: flags of an answer that a book does not have.
  return targets.length > 0
    ? targets
    : [{ column: 'check', resolver: remembering(vocabulary, name, EMPTY, () => EMPTY) }];
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

/** Days since 1970. */
function dayNumber(text: unknown): number {
  const date = checkDate('effective_date', text);
  return 'value' in date ? Date.parse(`${date.value}T00:00:00Z`) / MS_A_DAY : DOUBTFUL;
}
