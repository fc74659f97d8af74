import { countyByFips, findState, states } from '@leeward/places/counties';
import {
  didYouMean,
  type Fault,
  type GeoJsonFootprint,
  issueFaults,
  polygonsOf,
  quoteValue,
  readInstant,
  timePatterns,
  withoutEval,
} from '@leeward/terms';
import * as z from 'zod';

/** Registered kinds of events. Other kinds begin with `x_`. */
export const hazardKinds = [
  'hurricane',
  'tropical_storm',
  'tropical_depression',
  'tornado',
  'severe_thunderstorm',
  'wildfire',
  'flood',
  'earthquake',
  'winter_storm',
  'civil_unrest',
] as const;

/** Alerts, mildest first. */
export const alertLevels = ['none', 'watch', 'warning'] as const;

/** Maximum number of events that are known at once. */
export const MAX_EVENTS = 1_000;
/** Maximum number of positions of the area of one event. */
export const MAX_AREA_POSITIONS = 2_000;
/** Maximum number of positions of the areas of all events. */
export const MAX_POSITIONS_OF_ALL = 50_000;
const MAX_COUNTIES = 3_300;

/** A storm, an earthquake, a fire or another event that moratoria may depend on. Plain data, as on the wire. */
export interface HazardEvent {
  /** Unique among the events that are known at once. */
  readonly id: string;
  /** One of {@link hazardKinds}, or a kind of the host: `x_dam_failure`. */
  readonly kind: string;
  /** `Ida`. Messages quote it. */
  readonly name?: string;
  /** The center of a storm, an epicenter, the origin of a fire. Degrees, WGS 84. @default unknown */
  readonly position?: { readonly latitude: number; readonly longitude: number };
  /**
   * The affected ground, as GeoJSON (RFC 7946): longitude before latitude; split at the antimeridian. An event without
   * `area`, `states` and `counties` may affect any place. @default unknown
   */
  readonly area?: GeoJsonFootprint;
  /** Affected states, lower-case abbreviations. Empty if the event affects no whole state. */
  readonly states?: readonly string[];
  /** Affected counties, FIPS codes. Empty if the event affects no whole county. */
  readonly counties?: readonly string[];
  /** The strongest alert in force. @default unknown */
  readonly alert?: (typeof alertLevels)[number];
  /** Magnitude of an earthquake, category of a hurricane, EF number of a tornado. @default unknown */
  readonly magnitude?: number;
  /** Start, an instant with an offset. The event does not exist before it. */
  readonly from: string;
  /** End (excluded), an instant with an offset. @default null, the event continues */
  readonly until?: string | null;
}

const instant = (description: string) =>
  z
    .string()
    .refine((text) => readInstant(text) !== undefined, {
      params: { code: 'invalid_date' },
      error: ({ input }) => `${quoteValue(input)} is not an instant with an offset, like 2026-08-29T12:00:00Z.`,
    })
    .meta({ description, format: 'date-time', pattern: timePatterns.instant });

const words = (text: string) => (/^x_[a-z0-9_]{1,60}$/.test(text) ? true : hazardKinds.includes(text as never));

/** Schema of one event on the wire. {@link parseHazardEvents} adds the checks across fields and the messages. */
export const hazardEventSchema: z.ZodType<HazardEvent> = withoutEval(() =>
  z
    .strictObject({
      id: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/, { error: idMessage })
        .meta({
          description: 'Unique among the events: up to 100 letters, digits, and . _ : -.',
          examples: ['al092021'],
        }),
      kind: z
        .string()
        .refine(words, { params: { code: 'unknown_value' }, error: ({ input }) => kindMessage(input) })
        .meta({
          description: `One of ${hazardKinds.join(', ')}, or a kind of your own, x_….`,
          pattern: `^(${hazardKinds.join('|')}|x_[a-z0-9_]{1,60})$`,
          examples: ['hurricane'],
        }),
      name: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: 'Quoted in messages.', examples: ['Ida'] }),
      position: z
        .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
        .optional()
        .meta({ description: 'Center of a storm, epicenter, origin of a fire; degrees, WGS 84.' }),
      area: z
        .strictObject({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) })
        .superRefine((value, context) => {
          const message = areaFault(value as unknown as GeoJsonFootprint);
          if (message !== undefined) context.addIssue({ code: 'custom', message, params: { code: 'invalid_area' } });
        })
        .optional()
        .meta({
          description: `The affected ground, GeoJSON: a Polygon or MultiPolygon of at most ${MAX_AREA_POSITIONS} positions, longitude before latitude, split at the antimeridian.`,
        }),
      states: z
        .array(z.string().refine(isState, { params: { code: 'unknown_value' }, error: stateMessage }))
        .max(states.length)
        .optional()
        .meta({ description: 'Affected states, lower-case abbreviations; [] for none.', examples: [['la', 'ms']] }),
      counties: z
        .array(z.string().refine(isCounty, { params: { code: 'unknown_value' }, error: countyMessage }))
        .max(MAX_COUNTIES)
        .optional()
        .meta({ description: 'Affected counties, FIPS codes; [] for none.', examples: [['22071']] }),
      alert: z.enum(alertLevels).optional().meta({ description: 'The strongest alert in force.' }),
      magnitude: z
        .number()
        .min(0)
        .max(1_000)
        .optional()
        .meta({ description: 'Magnitude of an earthquake, category of a hurricane, EF number of a tornado.' }),
      from: instant('Start. The event does not exist before it.'),
      until: instant('End (excluded); null while the event continues.').nullish(),
    })
    .meta({
      id: 'HazardEvent',
      description: 'A storm, an earthquake, a fire or another event that moratoria depend on.',
    }),
) as unknown as z.ZodType<HazardEvent>;

const keys = ['id', 'kind', 'name', 'position', 'area', 'states', 'counties', 'alert', 'magnitude', 'from', 'until'];

/** Valid events, or all faults, each with a JSON Pointer into the list. */
export type ParsedEvents =
  | { readonly ok: true; readonly events: readonly HazardEvent[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Checks a list of events of any shape. Reports all faults at once. The result is frozen: attach it to properties as
 * `events`.
 *
 * @example
 *  const parsed = parseHazardEvents([
 *    { id: 'al092021', kind: 'hurricane', name: 'Ida', position: { latitude: 29.1, longitude: -90.2 }, from: '2021-08-26T15:00:00Z' },
 *  ]);
 *  if (!parsed.ok) console.log(parsed.faults);
 */
export function parseHazardEvents(value: unknown): ParsedEvents {
  if (!Array.isArray(value)) {
    const message = `The events are ${quoteValue(value)}; give a list, [] for none.`;
    return { ok: false, faults: [{ path: '', code: 'invalid_type', message }] };
  }
  if (value.length > MAX_EVENTS) {
    const message = `${value.length} events are given; give at most ${MAX_EVENTS}. Remove events that ended long ago.`;
    return { ok: false, faults: [{ path: '', code: 'too_long', message }] };
  }
  const faults: Fault[] = [];
  const events: HazardEvent[] = [];
  const indexes = new Map<string, number>();
  let positions = 0;
  value.forEach((input: unknown, index) => {
    const parsed = hazardEventSchema.safeParse(input);
    if (!parsed.success) {
      const keysAt = (path: readonly PropertyKey[]) => (path.length === 0 ? keys : []);
      for (const fault of issueFaults(parsed.error.issues, { value: input, keysAt }))
        faults.push({ ...fault, path: `/${index}${fault.path}` });
      return;
    }
    const event = parsed.data;
    const before = indexes.get(event.id);
    if (before !== undefined) {
      const message = `The events ${before + 1} and ${index + 1} have the id ${quoteValue(event.id)}; give each another id.`;
      faults.push({ path: `/${index}/id`, code: 'duplicate_id', message });
    }
    indexes.set(event.id, index);
    faults.push(...faultsAcross(event).map((fault) => ({ ...fault, path: `/${index}${fault.path}` })));
    positions += countPositions(event);
    events.push(freeze(event));
  });
  if (positions > MAX_POSITIONS_OF_ALL) {
    const message = `The areas of these events have ${positions} positions; give at most ${MAX_POSITIONS_OF_ALL} in all. Simplify the areas.`;
    faults.push({ path: '', code: 'too_long', message });
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, events: Object.freeze(events) };
}

/**
 * Returns the number of positions of an event's area.
 * @example
 * countPositions({ id: 'q1', kind: 'earthquake', position: { latitude: 38, longitude: -117 }, from: '2026-01-01T00:00:00Z' }); // 0
 */
export function countPositions({ area }: HazardEvent): number {
  return area ? polygonsOf(area).reduce((sum, rings) => sum + rings.reduce((of, ring) => of + ring.length, 0), 0) : 0;
}

function faultsAcross({ position, area, states, counties, from, until }: HazardEvent): Fault[] {
  const faults: Fault[] = [];
  if (until !== undefined && until !== null && readInstant(until)!.ms <= readInstant(from)!.ms) {
    const message = `until is ${quoteValue(until)}, which is not after from, ${quoteValue(from)}; give a later instant, or null while the event continues.`;
    faults.push({ path: '/until', code: 'not_after', message });
  }
  if (position === undefined && area === undefined && states === undefined && counties === undefined) {
    const message = 'The event has no place; give one or more of position, area, states and counties.';
    faults.push({ path: '', code: 'required', message });
  }
  return faults;
}

function freeze(event: HazardEvent): HazardEvent {
  const { position, area, states: ofStates, counties, ...rest } = event;
  return Object.freeze({
    ...rest,
    ...(position && { position: Object.freeze({ ...position }) }),
    ...(area && { area }),
    ...(ofStates && { states: Object.freeze([...ofStates]) }),
    ...(counties && { counties: Object.freeze([...counties]) }),
  });
}

function idMessage({ input }: { readonly input?: unknown }): string {
  return `id is ${quoteValue(input)}; use up to 100 characters: letters, digits and _ . : -, with a letter or digit first.`;
}

function kindMessage(input: unknown): string {
  const hint = typeof input === 'string' ? didYouMean(input, hazardKinds) : '';
  return `kind is ${quoteValue(input)}; give one of: ${hazardKinds.join(', ')}, or a kind of your own, x_….${hint}`;
}

const codes: ReadonlySet<string> = new Set(states.map(({ code }) => code));

function isState(text: string): boolean {
  return codes.has(text);
}

function stateMessage({ input }: { readonly input?: unknown }): string {
  const match = typeof input === 'string' ? findState(input) : undefined;
  const hint = match ? ` Did you mean "${match.code}"?` : '';
  return `${quoteValue(input)} is not the abbreviation of a state in lower case.${hint}`;
}

function isCounty(text: string): boolean {
  return countyByFips(text)?.fips === text;
}

function countyMessage({ input }: { readonly input?: unknown }): string {
  const today = typeof input === 'string' ? countyByFips(input) : undefined;
  const hint = today ? ` It is now ${quoteValue(today.fips)}, ${today.label}.` : '';
  return `${quoteValue(input)} is not the FIPS code of a county; give five digits.${hint}`;
}

/** Returns a sentence about the first fault of an area. */
function areaFault(area: GeoJsonFootprint): string | undefined {
  const polygons: unknown = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  const isListOf = (value: unknown, isItem: (item: unknown) => boolean): value is unknown[] =>
    Array.isArray(value) && value.length > 0 && value.every(isItem);
  const isPosition = (value: unknown) =>
    Array.isArray(value) && value.length >= 2 && value.length <= 4 && value.every((each) => Number.isFinite(each));
  if (!isListOf(polygons, (polygon) => isListOf(polygon, (ring) => isListOf(ring, isPosition)))) {
    return `area: coordinates of a ${area.type} are lists of rings, a ring a list of [longitude, latitude].`;
  }
  const rings = (polygons as (readonly (readonly [number, number])[])[][]).flat();
  const count = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (count > MAX_AREA_POSITIONS) {
    return `area has ${count} positions; give at most ${MAX_AREA_POSITIONS}. Simplify it.`;
  }
  for (const ring of rings) {
    const odd = ring.find(([longitude, latitude]) => Math.abs(longitude) > 180 || Math.abs(latitude) > 90);
    if (odd)
      return `area: [${odd.slice(0, 2).join(', ')}] is not a [longitude, latitude] in degrees; were they swapped?`;
    if (new Set(ring.map(([x, y]) => `${x} ${y}`)).size < 3) {
      return `area: a ring has ${ring.length} positions; give three corners or more.`;
    }
    const [first, last] = [ring[0]!, ring.at(-1)!];
    if (first[0] !== last[0] || first[1] !== last[1]) {
      return `area: a ring begins at [${first.slice(0, 2).join(', ')}] and ends at [${last.slice(0, 2).join(', ')}]; repeat the first position at the end.`;
    }
    const wide = ring.findIndex(([x], index) => index > 0 && Math.abs(x - ring[index - 1]![0]) > 180);
    if (wide > 0) {
      return `area: an edge goes from longitude ${ring[wide - 1]![0]} to ${ring[wide]![0]}; split the area at the antimeridian.`;
    }
  }
  return undefined;
}
