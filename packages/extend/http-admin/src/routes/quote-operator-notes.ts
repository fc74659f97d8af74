import { type OperationNotes, only } from './operation-note.ts';

/** Texts of the operations on carriers and rates. */
export const quoteOperatorNotes: OperationNotes = {
  listRestingCarriers: {
    description: 'Carriers in a cooldown (`Retry-After`), and carriers that an operator paused. For the operator.',
    request: only('No options', {}),
    answer: only('One carrier in its cooldown', {
      carriers: [{ carrier_key: 'sawpalm_home', paused: false, remaining_seconds: 42 }],
    }),
  },
  pauseQuoteCarrier: {
    description:
      'Calls in progress are finished. Other rates wait until their quote times out, and pending answers are not polled. All processes pause within half a second; the audit log records it. For the operator.',
    request: only('By its key', { carrier_key: 'sawpalm_home' }),
    answer: only('Paused', { carrier_key: 'sawpalm_home', changed: true }),
  },
  resumeQuoteCarrier: {
    description: 'All processes call the carrier again within half a second. For the operator.',
    request: only('By its key', { carrier_key: 'sawpalm_home' }),
    answer: only('Resumed', { carrier_key: 'sawpalm_home', changed: true }),
  },
  listTroubledRates: {
    description:
      'Rates of all teams that ended with a fault (`invalid`, `failed`, `timed_out`, `unknown_outcome`) and were not retried, or that wait longer than `waiting_seconds`. For the operator.',
    request: only('One carrier', { state: 'ended', carrier_key: 'sawpalm_home' }),
    answer: only('One with an unknown outcome', {
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
          message: 'The connection broke. The carrier may have made a quote: check with the carrier before you retry.',
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
      'A new rate takes the place of each, once even if the request is repeated; a waiting rate is tried again now. A rate that the carrier may have done already is refused as `may_repeat`, unless the request allows it: check with the carrier first. The audit log records each. For the operator.',
    request: only('All of a carrier that was down', { carrier_key: 'sawpalm_home' }),
    answer: only('One is retried', {
      retried: [
        { rate_id: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc', retried_as: '01a1fb9c-0c5e-7d21-9a0f-5d2a77e0c811' },
      ],
      woken: [],
      refused: [],
      more: false,
    }),
  },
  listCarrierExchanges: {
    description:
      'Requests to carriers and their answers, oldest first, for a week. Secrets are `[redacted]`; messages contain personal data, and the audit log records who read them. For the operator.',
    request: only('One rate', { rate_id: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc' }),
    answer: only('One quote', {
      exchanges: [
        {
          exchange_id: '01a1fb9b-b1c2-7a41-8c11-3f64b0de52aa',
          rate_id: '01a1fb9b-afb1-7e34-b2aa-89240959a1fc',
          quote_request_id: '01a1fb9b-afb1-7f12-8456-f0be1282f255',
          team_id: 'team_01k9q3m5v8e7d6c5b4a3928170',
          carrier_key: 'sawpalm_home',
          at: '2026-11-20T12:00:00.812000Z',
          readable: true,
          purpose: 'quote',
          method: 'POST',
          url: 'https://quotes.sawpalm.example/homes',
          status: 200,
          failure: null,
          took_ms: 402,
          reading: { outcome: 'quoted', code: null, premium: '1843.50' },
        },
      ],
      next: null,
    }),
  },
};
