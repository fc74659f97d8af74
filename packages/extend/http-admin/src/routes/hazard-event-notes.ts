import { type OperationNotes, only } from './operation-note.ts';

const at = '2026-08-29T12:00:00.000000Z';
const event = {
  id: 'al05-2026',
  kind: 'hurricane',
  name: 'Elena',
  position: { latitude: 27.1, longitude: -84.2 },
  states: ['fl', 'al'],
  alert: 'watch',
  from: '2026-08-29T12:00:00Z',
  until: null,
};
const item = { event_id: event.id, event, state: 'standing', revision: 1, created_at: at, updated_at: at };
const ended = { ...item, event: { ...event, until: '2026-09-01T06:00:00Z' }, state: 'ended', revision: 2 };

/** Texts of the operations on hazard events. */
export const hazardEventNotes: OperationNotes = {
  adminHazardEventsList: {
    description:
      'Storms, earthquakes, fires and other events that rule sets can test. Events that ended more than a year ago are in no decision; `include_past` lists them too. For the operator.',
    request: only('The first ten', { limit: 10 }),
    answer: only('One page', { items: [item], next: null }),
  },
  adminHazardEventsGet: {
    request: only('By its id', { event_id: event.id }),
    answer: only('A hurricane', item),
  },
  adminHazardEventsPost: {
    description:
      'Homes are closed in every process within two seconds; decisions that began before keep the events that they began with. To replace an event give the revision that you read; the same event again changes nothing. 422 names every fault, and then nothing is stored. For the operator.',
    request: only('A hurricane', { event }),
    answer: only('The stored event', item),
  },
  adminHazardEventsEnd: {
    description:
      'Sets `until`, by default to now. Homes are reopened in every process within two seconds, or after the hours that a rule adds to the end. For the operator.',
    request: only('It is over', { event_id: event.id, revision: 1, why: 'Dissipated over Georgia.' }),
    answer: only('The ended event', ended),
  },
  adminHazardEventsRemove: {
    description:
      'For an event that was posted by mistake: hours after its end do not apply. Decision records keep what was known of it. For the operator.',
    request: only('By its id', { event_id: event.id, why: 'Posted twice.' }),
    answer: only('Its last state', item),
  },
};
