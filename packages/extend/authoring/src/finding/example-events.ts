import type { PropertyLocation, WrittenItem } from '@leeward/engine';
import { type Aggregate, type Box, type CompiledProgram, cellsOf, findItem, type Tree } from '@leeward/engine/compiled';
import type { HazardEvent } from '@leeward/engine/events';
import { countyExtent } from '@leeward/places/extents';
import type { AskedAt } from './asked-at.ts';

/** Events of an example home, and a position for it if an event has a distance. */
export interface ExampleEvents {
  readonly events: readonly HazardEvent[];
  readonly location: PropertyLocation | undefined;
}

const HOUR_MS = 3_600_000;
const MILES_PER_DEGREE = 69.0934;
const MAX_EVENTS_OF_EXAMPLE = 10;

/**
 * Finds events whose counts are in a box. Not every box has such events, and not all are found; the caller verifies the
 * home. Undefined if no rule tests events.
 */
export function eventsInBox(
  program: CompiledProgram,
  box: Box,
  at: AskedAt,
  county: string,
  fixed: PropertyLocation | undefined,
): ExampleEvents | undefined {
  const items: WrittenItem[] = [];
  const counts: { readonly aggregate: Aggregate; readonly count: number }[] = [];
  let isTested = false;
  program.axes.forEach((entry, axis) => {
    const computed = entry?.computed;
    if (!entry || !computed || !entry.missingNames.includes('events')) return;
    isTested = true;
    if (computed.kind !== 'aggregate' || computed.apply !== 'count') return;
    const sample = entry.axis.samples[cellsOf(box[axis]!)[0] ?? 0];
    counts.push({ aggregate: computed, count: typeof sample === 'number' ? sample : 0 });
  });
  // An event for one count must not change the counts that are zero.
  const excluded = counts.flatMap(({ aggregate: { where }, count }): Tree[] =>
    count === 0 && where ? [{ kind: 'not', of: where }] : [],
  );
  for (const { aggregate, count } of counts) {
    if (count === 0) continue;
    const where: Tree = { kind: 'all', of: [...(aggregate.where ? [aggregate.where] : []), ...excluded] };
    const item =
      findItem({ ...aggregate, where }, true, undefined, at.effectiveDate) ??
      findItem(aggregate, true, undefined, at.effectiveDate);
    if (item) for (let index = 0; index < Math.min(count, MAX_EVENTS_OF_EXAMPLE); index++) items.push(item);
  }
  if (!isTested) return undefined;
  const location = fixed ?? (items.length > 0 ? middleOf(county) : undefined);
  return { events: items.map((item, index) => eventOf(item, index, at, county, location)), location };
}

function middleOf(county: string): PropertyLocation | undefined {
  const corners = countyExtent(county)?.corners;
  if (!corners) return undefined;
  const mean = (index: 0 | 1) => corners.reduce((sum, corner) => sum + corner[index], 0) / corners.length;
  return { latitude: mean(1), longitude: mean(0), radiusMeters: 0 };
}

/** An event with the fields of an item. */
function eventOf(
  item: WrittenItem,
  index: number,
  { asOfMs }: AskedAt,
  county: string,
  home: PropertyLocation | undefined,
): HazardEvent {
  const miles = item['miles_from_home'] ?? item['miles_from_county'] ?? item['miles_from_state'];
  const latitude =
    item['latitude'] ?? (home ? home.latitude - (typeof miles === 'number' ? miles / MILES_PER_DEGREE : 0) : 0);
  const longitude = item['longitude'] ?? home?.longitude ?? 0;
  const sinceEnd = (item['hours_since_end'] as number | undefined) ?? (item['ongoing'] === false ? 1 : 0);
  const sinceStart = (item['hours_since_start'] as number | undefined) ?? sinceEnd + 1;
  const textOf = (hours: number) => new Date(asOfMs - Math.max(0, hours) * HOUR_MS).toISOString();
  return {
    id: `example-${index + 1}`,
    kind: (item['kind'] as string | undefined) ?? 'hurricane',
    ...(item['alert'] === undefined ? {} : { alert: item['alert'] as 'none' | 'watch' | 'warning' }),
    ...(item['magnitude'] === undefined ? {} : { magnitude: item['magnitude'] as number }),
    position: { latitude: Math.max(-90, latitude as number), longitude: longitude as number },
    counties: item['covers_home'] === true ? [county] : [],
    from: textOf(sinceStart),
    ...(sinceEnd > 0 && sinceEnd < sinceStart ? { until: textOf(sinceEnd) } : {}),
  };
}
