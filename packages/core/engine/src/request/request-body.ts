import type { GeoJsonFootprint } from '@leeward/terms';
import type { HomeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { distanceNames } from './distance-names.ts';
import type { AddressParts } from './schema.ts';

/** Words complete as they are typed; other spellings of them are text all the same. */
type Spelled<Value> = Value extends string
  ? Value | (string & {})
  : Value extends number
    ? number | string
    : Value extends boolean
      ? boolean | string
      : Value;

type ValueOf<Each> = Each extends { readonly '~value'?: infer Value } ? Exclude<Value, undefined> : unknown;

type Asked<Line extends Vocabulary> = {
  readonly [Each in Line['fields'][number] as Exclude<Each['requestName'], 'address'>]?: Spelled<ValueOf<Each>> | null;
};

type Given<Line extends Vocabulary> = {
  readonly [Each in Line['fields'][number] as Exclude<Each['requestName'], 'address'>]?: ValueOf<Each> | null;
};

type Distances = { readonly [Each in (typeof distanceNames)[number][0]]?: number | string | null };

/** Distances are those of lines that have them. */
type DistancesOf<Line extends Vocabulary> = 'distance_to_tidal_water_meters' extends Line['fields'][number]['name']
  ? Distances
  : unknown;

/**
 * The body of an underwriting request written in TypeScript: `… satisfies RequestBody`, or `RequestBody<typeof vocabulary>` of a line
 * of one's own. Names of fields are checked, and words complete; `parseRequest` takes anything, and says what only it can know.
 */
export type RequestBody<Line extends Vocabulary = HomeVocabulary> = Asked<Line> &
  DistancesOf<Line> &
  AnyRequest & {
    /** Left out: all types. */
    readonly policy_type?: Spelled<Line['policyTypes'][number]> | null;
  };

/** The same in the words of the line alone: any other spelling does not compile. */
export type StrictRequest<Line extends Vocabulary> = Given<Line> &
  DistancesOf<Line> &
  AnyRequest & {
    /** Left out: all types. */
    readonly policy_type?: Line['policyTypes'][number] | null;
  };

/** What requests of every line have. */
interface AnyRequest {
  readonly state: string;
  readonly county?: string | null;
  /** An instant with its offset from UTC; default now. */
  readonly as_of?: string | null;
  /** `YYYY-MM-DD`. */
  readonly effective_date?: string | null;
  readonly address?: string | AddressParts | null;
  /** Decimal degrees. */
  readonly lat?: number | null;
  readonly lng?: number | null;
  /** Metres round `lat` and `lng` within which the building lies. */
  readonly radius_meters?: number | string | null;
  readonly footprint?: GeoJsonFootprint | null;
  readonly include_declined?: boolean | string | null;
  readonly include_not_offered?: boolean | string | null;
  readonly explain?: boolean | string | null;
}
