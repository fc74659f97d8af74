import { type HazardEventRecord, itemFields, keptOf } from '@leeward/accounts/operations';
import { isObject } from '@leeward/terms';
import { z } from 'zod';

export const hazardEventItem = z
  .strictObject({
    event_id: z.string().meta({ description: 'Its id, chosen by the operator.' }),
    event: z
      .looseObject({ id: z.string() })
      .meta({ description: 'As it was posted, with states and counties as codes.' }),
    state: z
      .enum(['upcoming', 'standing', 'ended', 'past'])
      .meta({ description: '`past`: it ended more than a year ago and is in no decision any more.' }),
    ...itemFields,
  })
  .meta({ id: 'HazardEventItem', description: 'A storm or another event that rules test.' });

/** A hazard event in responses. */
export type HazardEventItem = z.output<typeof hazardEventItem>;

export function hazardEventItemOf(record: HazardEventRecord, atMs: number): HazardEventItem {
  const event = record.event as HazardEventItem['event'];
  return { event_id: record.event_id, event, state: stateOf(record, atMs), ...keptOf(record) };
}

function stateOf({ status, event }: HazardEventRecord, atMs: number): HazardEventItem['state'] {
  if (status === 'past') return 'past';
  if (endOf(event) <= atMs) return 'ended';
  return Date.parse(String(event['from'])) > atMs ? 'upcoming' : 'standing';
}

/** Infinity for an event without an end. */
export function endOf(event: HazardEventRecord['event']): number {
  const until = event['until'];
  return typeof until === 'string' ? Date.parse(until) : Number.POSITIVE_INFINITY;
}

/** For the audit log: an area is named by its number of positions. */
export function auditedEvent(event: HazardEventRecord['event']): Readonly<Record<string, unknown>> {
  const { area, ...rest } = event;
  return isObject(area) ? { ...rest, area: `${area['type']} with ${positionsOf(event)} positions` } : rest;
}

/** Number of positions of an event's area. */
export function positionsOf({ area }: HazardEventRecord['event']): number {
  return isObject(area) ? countPositions(area['coordinates']) : 0;
}

function countPositions(coordinates: unknown): number {
  if (!Array.isArray(coordinates)) return 0;
  if (typeof coordinates[0] === 'number') return 1;
  return coordinates.reduce((sum: number, part: unknown) => sum + countPositions(part), 0);
}
