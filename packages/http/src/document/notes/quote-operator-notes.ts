import { type OperationNotes, only } from '../operation-note.ts';

/** What the document says of what the operator does about quoting. */
export const quoteOperatorNotes: OperationNotes = {
  listRestingCarriers: {
    description: 'Those that asked to be left alone (`Retry-After`), and those that are paused. For the operator.',
    request: only('Nothing is asked for', {}),
    answer: only('One rests', {
      carriers: [{ carrier_key: 'sawpalm_home', paused: false, remaining_seconds: 42 }],
    }),
  },
  pauseQuoteCarrier: {
    description:
      'What is under way is finished; the rest waits, as long as its quote has time, and what the carrier is at is not looked at. In all processes within half a second, and in the audit log. For the operator.',
    request: only('By its key', { carrier_key: 'sawpalm_home' }),
    answer: only('Paused', { carrier_key: 'sawpalm_home', changed: true }),
  },
  resumeQuoteCarrier: {
    description: 'Every process asks it again within half a second. For the operator.',
    request: only('By its key', { carrier_key: 'sawpalm_home' }),
    answer: only('Resumed', { carrier_key: 'sawpalm_home', changed: true }),
  },
  listTroubledRates: {
    description:
      'Of all teams. Those that ended for a fault (`invalid`, `failed`, `timed_out`, `unknown_outcome`) and were not retried, or those that have waited for so long. For the operator.',
    request: only('Of one carrier', { state: 'ended', carrier_key: 'sawpalm_home' }),
    answer: only('One that nobody knows the end of', {
      rates: [
        {
          rate_id: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc',
          quote_request_id: '01a1fb9b-afb1-7f12-8456-f0be1282f255',
          team_id: 'team_01k9q3m5v8e7d6c5b4a3928170',
          carrier_key: 'sawpalm_home',
          carrier: 'Sawpalm Home',
          form_type: 'ho3',
          outcome: 'unknown_outcome',
          why: 'connection_lost',
          message: 'The connection broke. The carrier may have made a quote: ask it before you ask again.',
          retry: 'may_repeat',
          attempts: 1,
          created_at: '2026-11-20T12:00:00.706000Z',
          finished_at: '2026-11-20T12:00:01.214000Z',
        },
      ],
      next: null,
    }),
  },
  retryTroubledRates: {
    description:
      'A new rate takes the place of each, once however often it is asked for; one that waits is tried again now. Where the carrier may have done the work already, it is refused as `may_repeat` unless the request says so: ask the carrier first. Each stands in the audit log. For the operator.',
    request: only('All of a carrier that was down', { carrier_key: 'sawpalm_home' }),
    answer: only('One is asked for again', {
      retried: [
        { rate_id: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc', retried_as: '01a1fb9c-0c5e-7d21-9a0f-5d2a77e0c811' },
      ],
      woken: [],
      refused: [],
      more: false,
    }),
  },
};
