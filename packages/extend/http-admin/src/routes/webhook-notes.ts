import { type OperationNotes, only } from './operation-note.ts';

const teamId = 'team_01k9q3m5v8e7d6c5b4a3928170';
const webhook = {
  webhook_id: '01a1fb9b-afb1-7c11-9a6e-3f5a0d5d7c10',
  team_id: teamId,
  url: 'https://crm.palmetto-coast.example/leeward',
  description: null,
  event_types: ['rate.ended', 'quote.completed'],
  state: 'active',
  disabled_reason: null,
  last_failure: null,
  last_delivery_at: null,
  waiting: 0,
  created_at: '2026-11-20T12:00:00.706000Z',
};
const named = { webhook_id: webhook.webhook_id };

/** Texts of the operations on webhooks. */
export const webhookNotes: OperationNotes = {
  createWebhook: {
    description:
      'Events of the team’s quotes are sent to this address as they happen, by the Standard Webhooks specification: `webhook-id` (the same however often an event is sent), `webhook-timestamp`, `webhook-signature` (HMAC-SHA256 under the secret of this answer). Those of one quote come in order, each until the endpoint has answered 2xx within 15 seconds; an endpoint that fails is tried again after growing waits, and disabled after three days without success or when it answers 410. No redirect is followed, and no address is called that is not public.',
    request: only('A team’s own system', { team_id: teamId, url: webhook.url, event_types: webhook.event_types }),
    answer: only('Its secret is shown this once', {
      ...webhook,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDAuJdEPsq0bU=',
    }),
  },
  listWebhooks: {
    description: 'With the state of each: whether the last attempt failed, and how many quotes have waiting events.',
    request: only('One team', { team_id: teamId }),
    answer: only('One', { webhooks: [webhook] }),
  },
  removeWebhook: {
    description: 'Deletes the endpoint. No further events are sent to it.',
    request: only('One webhook', named),
    answer: only('Removed', named),
  },
  rotateWebhook: {
    description: 'For one day, each message has two signatures, one under each secret.',
    request: only('One webhook', named),
    answer: only('The new secret', { ...named, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }),
  },
  enableWebhook: {
    description: 'Sends the waiting events and all new ones. Replay events that happened while it was disabled.',
    request: only('One webhook', named),
    answer: only('Enabled', webhook),
  },
  testWebhook: {
    description: 'Sends one signed message of the type `webhook.test`, once, and returns the result.',
    request: only('One webhook', named),
    answer: only('The endpoint accepted it', { delivered: true, status: 204, failure: null }),
  },
  replayWebhook: {
    description: 'For an endpoint that lost events. Replayed events keep their ids.',
    request: only('Since an instant', { ...named, since: '2026-11-20T12:00:00Z' }),
    answer: only('Three quotes', { quotes: 3 }),
  },
};
