import { isDeepStrictEqual } from 'node:util';
import { AdministrationError, type Operation } from '@leeward/accounts';
import {
  conflict,
  createOperation,
  forbidden,
  formatValue,
  type HazardEventRecord,
  instantField,
  invalid,
  nameField,
  notFound,
  pageFields,
  pageOf,
  readPage,
  refuseStale,
  revisionField,
  type StoreReader,
  type StoreWriter,
  unprintable,
} from '@leeward/accounts/operations';
import { formatInstant } from '@leeward/terms';
import { z } from 'zod';
import { auditStep } from '../rule-sets/audit-rule-set.ts';
import { isOperator } from '../rule-sets/find-rule-set.ts';
import { writeRegistry } from '../rule-sets/registry-record.ts';
import { readSent } from '../rule-sets/review-version.ts';
import type { RegistryCall, RegistryServices } from '../rule-sets/services.ts';
import { countChange, lockHazardEvents } from './count-change.ts';
import {
  auditedEvent,
  endOf,
  type HazardEventItem,
  hazardEventItem,
  hazardEventItemOf,
  positionsOf,
} from './hazard-event-item.ts';

const DAY_MS = 86_400_000;
/** Days after its end for which rules can test an event: "72 hours after an earthquake". */
const DAYS_AFTER_END = 366;
/** An event may begin this far ahead; a later one has a wrong year. */
const MAX_DAYS_AHEAD = 366;
/** Maximum number of events that decisions get. */
const MAX_CURRENT = 1_000;

const eventIdField = z
  .string()
  .max(200)
  .meta({ description: 'The id of the event.', examples: ['al05-2026'] });

const postRequest = z.strictObject({
  event: z
    .looseObject({ id: z.string().min(1).max(100), kind: z.string(), from: z.string() })
    .meta({ description: 'id, kind, name, position or area, states, counties, alert, magnitude, from, until.' }),
  revision: revisionField.nullish().meta({ description: 'Required to replace an event: the revision that you read.' }),
  why: nameField.nullish(),
});

const stepFields = { event_id: eventIdField, revision: revisionField.nullish(), why: nameField.nullish() };

const endRequest = z.strictObject({ ...stepFields, until: instantField('until') });

/** Operations on hazard events, for operators. */
export interface HazardEvents {
  readonly list: Operation<{ items: HazardEventItem[]; next: string | null }>;
  readonly get: Operation<HazardEventItem>;
  readonly post: Operation<HazardEventItem>;
  readonly end: Operation<HazardEventItem>;
  readonly remove: Operation<HazardEventItem>;
}

export function createHazardEvents(services: RegistryServices): HazardEvents {
  return {
    list: createOperation(services, {
      name: 'hazard_events.list',
      summary: 'List hazard events, newest first.',
      request: z.strictObject({
        ...pageFields,
        include_past: z.boolean().nullish().meta({ description: 'Also events that ended more than a year ago.' }),
      }),
      response: pageOf(hazardEventItem),
      async perform(call, request) {
        requireOperator(call);
        const where = request.include_past === true ? {} : { status: 'current' as const };
        const page = await readPage(call, 'hazard_events', where, request, true);
        return { items: page.records.map((record) => hazardEventItemOf(record, call.atMs)), next: page.next };
      },
    }),
    get: createOperation(services, {
      name: 'hazard_events.get',
      summary: 'Read a hazard event.',
      request: z.strictObject({ event_id: eventIdField }),
      response: hazardEventItem,
      async perform(call, request) {
        requireOperator(call);
        const record = await findEvent(call.services.store.reader, request.event_id);
        return hazardEventItemOf(record, call.atMs);
      },
    }),
    post: createOperation(services, {
      name: 'hazard_events.post',
      summary: 'Create a hazard event, or replace one by its id. It applies within two seconds.',
      request: postRequest,
      response: hazardEventItem,
      perform: post,
    }),
    end: createOperation(services, {
      name: 'hazard_events.end',
      summary: 'End a hazard event. Rules with hours after its end still test it.',
      request: endRequest,
      response: hazardEventItem,
      perform: end,
    }),
    remove: createOperation(services, {
      name: 'hazard_events.remove',
      summary: 'Remove a hazard event that was posted by mistake; returns its last state.',
      request: z.strictObject(stepFields),
      response: hazardEventItem,
      async perform(call, request) {
        requireOperator(call);
        const record = await change(call, async (writer) => {
          const before = await findEvent(writer, request.event_id);
          refuseStale('event', before.revision, request.revision);
          await writer.remove('hazard_events', before.hazard_event_id);
          await audit(call, writer, 'remove', before, undefined, request.why);
          return { record: before, isChanged: true };
        });
        return hazardEventItemOf(record, call.atMs);
      },
    }),
  };
}

async function post(call: RegistryCall, request: z.output<typeof postRequest>): Promise<HazardEventItem> {
  requireOperator(call);
  const sent = readSent(request.event, '/event').value;
  const { faults, event } = await call.services.rules.checkHazardEvent(sent);
  if (faults.length > 0 || event === undefined) {
    throw new AdministrationError(
      'invalid_request',
      faults.map((fault) => ({ ...fault, path: `/event${fault.path}` })),
    );
  }
  refuseOddTimes(call, event);
  refuseUnprintable(event);
  const eventId = String(event['id']);
  const record = await change(call, async (writer) => {
    const before = await readEvent(writer, eventId);
    await refuseTooLarge(writer, event, eventId);
    if (before === undefined) return insert(call, writer, eventId, event, request.why);
    if (before.status === 'current' && isDeepStrictEqual(before.event, event)) return { record: before };
    if (request.revision === undefined || request.revision === null) {
      const message = `There is an event ${formatValue(eventId)} (revision ${before.revision}): give its revision to replace it, or another id.`;
      throw conflict('/event/id', 'event_exists', message);
    }
    refuseStale('event', before.revision, request.revision);
    return replace(call, writer, before, event, { action: 'replace', why: request.why });
  });
  return hazardEventItemOf(record, call.atMs);
}

async function end(call: RegistryCall, request: z.output<typeof endRequest>): Promise<HazardEventItem> {
  requireOperator(call);
  const until = request.until ?? formatInstant(call.atMs);
  const record = await change(call, async (writer) => {
    const before = await findEvent(writer, request.event_id);
    refuseStale('event', before.revision, request.revision);
    const isOver = endOf(before.event) <= call.atMs;
    if (isOver && (request.until === undefined || request.until === null)) return { record: before };
    const from = Date.parse(String(before.event['from']));
    if (Date.parse(until) <= from) {
      const message = `until is ${until}, which is not after the start of the event (${before.event['from']}): give a later instant, or remove the event.`;
      throw invalid('/until', 'ends_before_it_begins', message);
    }
    const event = { ...before.event, until };
    refuseOddTimes(call, event, '/until');
    return replace(call, writer, before, event, { action: 'end', why: request.why });
  });
  return hazardEventItemOf(record, call.atMs);
}

/** Messages quote the name. */
function refuseUnprintable({ name }: HazardEventRecord['event']): void {
  if (typeof name !== 'string' || !unprintable.test(name)) return;
  throw invalid('/event/name', 'unprintable', 'must be one line of printable text, without control characters.');
}

/** Refuses an event that no decision would use, or that begins in another year. */
function refuseOddTimes({ atMs }: RegistryCall, event: HazardEventRecord['event'], path = '/event/until'): void {
  if (endOf(event) < atMs - DAYS_AFTER_END * DAY_MS) {
    const message = `until is ${formatValue(event['until'])}: the event ended more than a year ago, so no rule can test it. Give a later instant, or null while it lasts.`;
    throw invalid(path, 'event_over', message);
  }
  if (Date.parse(String(event['from'])) > atMs + MAX_DAYS_AHEAD * DAY_MS) {
    const message = `from is ${formatValue(event['from'])}, more than a year ahead: check the year.`;
    throw invalid('/event/from', 'event_far_ahead', message);
  }
}

interface Changed {
  readonly record: HazardEventRecord;
  /** Undefined: nothing was written. */
  readonly isChanged?: boolean;
}

/** One change at a time. Events that ended long ago become past with the next change. */
function change(call: RegistryCall, work: (writer: StoreWriter) => Promise<Changed>): Promise<HazardEventRecord> {
  return writeRegistry(call, async (writer) => {
    const registry = await lockHazardEvents(writer);
    const { record, isChanged } = await work(writer);
    if (isChanged !== true) return record;
    await retirePast(call, writer);
    await countChange(writer, registry, call.atMs);
    return record;
  });
}

async function retirePast({ atMs }: RegistryCall, writer: StoreWriter): Promise<void> {
  const current = await writer.list('hazard_events', { where: { status: 'current' } });
  for (const record of current) {
    if (endOf(record.event) >= atMs - DAYS_AFTER_END * DAY_MS) continue;
    await writer.replace('hazard_events', { ...record, status: 'past' });
  }
}

/** Maximum number of positions of the areas of all events. */
const MAX_POSITIONS = 50_000;

/** Bounds the memory and the work of decisions. */
async function refuseTooLarge(writer: StoreWriter, event: HazardEventRecord['event'], eventId: string): Promise<void> {
  const records = await writer.list('hazard_events', { where: { status: 'current' } });
  const others = records.filter((record) => record.event_id !== eventId);
  const positions = [event, ...others.map((record) => record.event)].reduce((sum, each) => sum + positionsOf(each), 0);
  if (positions <= MAX_POSITIONS) return;
  const message = `The areas of all events would have ${positions} positions; at most ${MAX_POSITIONS} are accepted. Simplify the area, or end or remove other events.`;
  throw invalid('/event/area', 'too_many_positions', message);
}

async function insert(
  call: RegistryCall,
  writer: StoreWriter,
  eventId: string,
  event: HazardEventRecord['event'],
  why: string | null | undefined,
): Promise<Changed> {
  if ((await writer.count('hazard_events', { status: 'current' })) >= MAX_CURRENT) {
    const message = `There are ${MAX_CURRENT} events, the maximum: end or remove some first. Events that ended a year ago do not count.`;
    throw invalid('/event', 'too_many_events', message);
  }
  const record: HazardEventRecord = {
    hazard_event_id: call.services.newId(),
    event_id: eventId,
    event,
    status: 'current',
    revision: 1,
    created_at: call.atMs,
    updated_at: call.atMs,
  };
  await writer.insert('hazard_events', record);
  await audit(call, writer, 'post', undefined, record, why);
  return { record, isChanged: true };
}

async function replace(
  call: RegistryCall,
  writer: StoreWriter,
  before: HazardEventRecord,
  event: HazardEventRecord['event'],
  { action, why }: { readonly action: string; readonly why: string | null | undefined },
): Promise<Changed> {
  const revision = before.revision + 1;
  const record: HazardEventRecord = { ...before, event, status: 'current', revision, updated_at: call.atMs };
  await writer.replace('hazard_events', record);
  await audit(call, writer, action, before, record, why);
  return { record, isChanged: true };
}

function audit(
  call: RegistryCall,
  writer: StoreWriter,
  action: string,
  before: HazardEventRecord | undefined,
  after: HazardEventRecord | undefined,
  why: string | null | undefined,
): Promise<void> {
  const subject = { id: (after ?? before)!.event_id, organizationId: null, before, after };
  const [was, is] = [before, after].map((record) => (record === undefined ? {} : auditedEvent(record.event)));
  const reason = why === undefined || why === null ? {} : { why };
  return auditStep(call, writer, `hazard_events.${action}`, subject, { ...is, ...reason }, was);
}

function requireOperator({ authority }: RegistryCall): void {
  if (!isOperator(authority)) throw forbidden('operator');
}

async function readEvent(reader: StoreReader, eventId: string): Promise<HazardEventRecord | undefined> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/.test(eventId)) return undefined;
  const [record] = await reader.list('hazard_events', { where: { event_id: eventId } });
  return record;
}

async function findEvent(reader: StoreReader, eventId: string): Promise<HazardEventRecord> {
  const record = await readEvent(reader, eventId);
  if (record === undefined) throw notFound();
  return record;
}
