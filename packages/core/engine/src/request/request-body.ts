import type { GeoJsonFootprint } from '@leeward/terms';
import type { HomeVocabulary } from '../vocabulary/home.ts';
import type { ItemField, ListField } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { distanceNames } from './distance-names.ts';
import type { AddressParts } from './schema.ts';

/** Completes words in editors, but accepts other spellings. */
type Spelled<Value> = Value extends string
  ? Value | (string & {})
  : Value extends number
    ? number | string
    : Value extends boolean
      ? boolean | string
      : Value;

type ValueOf<Each> = Each extends { readonly '~value'?: infer Value } ? Exclude<Value, undefined> : unknown;

/** A value, or the value with its date and origin. */
type WithEvidence<Value> =
  | Value
  | { readonly value: Value; readonly as_of?: string | null; readonly source?: string | null };

type SpelledFields<Line extends Vocabulary> = {
  readonly [Each in Line['fields'][number] as Exclude<Each['requestName'], 'address'>]?: WithEvidence<
    Spelled<ValueOf<Each>>
  > | null;
};

type StrictFields<Line extends Vocabulary> = {
  readonly [Each in Line['fields'][number] as Exclude<Each['requestName'], 'address'>]?: WithEvidence<
    ValueOf<Each>
  > | null;
};

type ValueOfItemField<Each extends ItemField> = Each extends { readonly kind: 'word'; readonly words: infer Words }
  ? Words extends readonly string[]
    ? Words[number]
    : never
  : Each extends { readonly kind: 'number' }
    ? number
    : Each extends { readonly kind: 'flag' }
      ? boolean
      : string;

type Item<Each extends ListField, IsSpelled extends boolean> = {
  readonly [Of in Each['fields'][number] as Of['name']]?: IsSpelled extends true
    ? Spelled<ValueOfItemField<Of>> | null
    : ValueOfItemField<Of> | null;
};

/** `[]` means that the property has no items; a list that is left out is unknown. */
type Lists<Line extends Vocabulary, IsSpelled extends boolean> = Line extends {
  readonly lists: infer All extends readonly ListField[];
}
  ? {
      readonly [Each in All[number] as string extends Each['name'] ? never : Each['name']]?:
        | readonly Item<Each, IsSpelled>[]
        | null;
    }
  : unknown;

type Distances = { readonly [Each in (typeof distanceNames)[number][0]]?: WithEvidence<number | string> | null };

type DistancesOf<Line extends Vocabulary> = 'distance_to_tidal_water_meters' extends Line['fields'][number]['name']
  ? Distances
  : unknown;

/**
 * The body of an underwriting request in TypeScript: `… satisfies RequestBody`, or `RequestBody<typeof vocabulary>` for another line.
 * Field names are checked; `parseRequest` checks the values.
 */
export type RequestBody<Line extends Vocabulary = HomeVocabulary> = SpelledFields<Line> &
  Lists<Line, true> &
  DistancesOf<Line> &
  AnyRequest & {
    /** @default all types */
    readonly policy_type?: Spelled<Line['policyTypes'][number]> | null;
  };

/** A request in exact spelling: any other spelling is a type error. */
export type StrictRequest<Line extends Vocabulary> = StrictFields<Line> &
  Lists<Line, false> &
  DistancesOf<Line> &
  AnyRequest & {
    /** @default all types */
    readonly policy_type?: Line['policyTypes'][number] | null;
  };

interface AnyRequest {
  readonly state: string;
  readonly county?: string | null;
  /** Time of the request, with an offset from UTC. @default now */
  readonly as_of?: string | null;
  /** `YYYY-MM-DD`. */
  readonly effective_date?: string | null;
  readonly address?: string | AddressParts | null;
  /** Decimal degrees. */
  readonly lat?: number | null;
  readonly lng?: number | null;
  /** Radius around `lat` and `lng` that contains the building, in meters. */
  readonly radius_meters?: number | string | null;
  readonly footprint?: GeoJsonFootprint | null;
  readonly include_declined?: boolean | string | null;
  readonly include_not_offered?: boolean | string | null;
  readonly explain?: boolean | string | null;
}
