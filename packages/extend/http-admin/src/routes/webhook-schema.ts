import { eventTypes } from '@leeward/quotes';
import { timePatterns } from '@leeward/terms';
import { z } from 'zod';

const eventType = z.enum(eventTypes);
const identifier = (description: string) => z.string().meta({ description });
const webhookId = identifier('Identifier of the webhook.');
const instant = z.string().max(40).meta({ format: 'date-time', pattern: timePatterns.instant });

export const createWebhookRequest = z
  .strictObject({
    team_id: identifier('The team whose events it receives.'),
    url: z.string().min(1).max(2000).meta({ description: 'An https:// address on the public internet.' }),
    description: z.string().max(200).nullish(),
    event_types: z.array(eventType).min(1).max(20).nullish().meta({ description: 'If omitted, all.' }),
  })
  .meta({ id: 'CreateWebhookRequest' });
export const listWebhooksRequest = z
  .strictObject({ team_id: identifier('The team whose webhooks are listed.') })
  .meta({ id: 'ListWebhooksRequest' });
export const webhookRequest = z.strictObject({ webhook_id: webhookId }).meta({ id: 'WebhookRequest' });
export const replayWebhookRequest = z
  .strictObject({
    webhook_id: webhookId,
    since: instant.meta({ description: 'Events since this time are sent again: ISO 8601 with an offset.' }),
    quote_request_id: identifier('Only events of this quote.').nullish(),
  })
  .meta({ id: 'ReplayWebhookRequest' });

export const webhookView = z
  .object({
    webhook_id: z.string(),
    team_id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    event_types: z.array(eventType).nullable().meta({ description: 'null for all.' }),
    state: z.enum(['active', 'failing', 'disabled']).meta({
      description: '`failing`: the last attempt failed, and others follow. `disabled`: no events are sent.',
    }),
    disabled_reason: z.string().nullable(),
    last_failure: z.string().nullable(),
    last_delivery_at: z.string().nullable().meta({ description: 'Accurate to ten seconds.' }),
    waiting: z.int().meta({ description: 'Number of quotes with waiting events.' }),
    created_at: z.string(),
  })
  .meta({ id: 'Webhook' });
const secret = z.string().meta({ description: '`whsec_` and base64. It signs the messages and is shown only once.' });
export const createdWebhook = webhookView.extend({ secret }).meta({ id: 'CreatedWebhook' });
export const webhookList = z.object({ webhooks: z.array(webhookView) }).meta({ id: 'WebhookList' });
export const webhookRemoved = z.object({ webhook_id: z.string() }).meta({ id: 'WebhookRemoved' });
export const webhookRotated = z.object({ webhook_id: z.string(), secret }).meta({ id: 'WebhookRotated' });
export const webhookTested = z
  .object({
    delivered: z.boolean(),
    status: z.int().nullable().meta({ description: 'Status of the endpoint’s answer; null without an answer.' }),
    failure: z.string().nullable(),
  })
  .meta({ id: 'WebhookTested' });
export const webhookReplayed = z
  .object({ quotes: z.int().meta({ description: 'Number of quotes whose events are sent again.' }) })
  .meta({ id: 'WebhookReplayed' });
