import type { Webhooks, WebhookView } from '@leeward/quotes';
import type { z } from 'zod';
import type { Caller } from '../access/directory.ts';
import { createContentText } from '../document/content-text.ts';
import { guarded, type Operation } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { notFound } from '../problem/problem.ts';
import {
  createdWebhook,
  createWebhookRequest,
  listWebhooksRequest,
  replayWebhookRequest,
  webhookList,
  webhookRemoved,
  webhookReplayed,
  webhookRequest,
  webhookRotated,
  webhookTested,
  webhookView,
} from '../quoting/webhook-schema.ts';
import { checkBody } from '../request/check-body.ts';
import type { QuoteAudit } from './quote-operator.ts';

export interface WebhookPorts {
  readonly webhooks: Webhooks;
  /** Whose team this is; undefined where there is none. */
  readonly organizationOf: (teamId: string) => Promise<string | undefined>;
  readonly audit: QuoteAudit;
  readonly asProblem: (thrown: unknown) => unknown;
}

type Context = Pick<GuardedContext<undefined>, 'caller' | 'json' | 'requestId' | 'signal'>;

/** `/v1/admin/webhooks/…`: where teams are told of what happens to their quotes. */
export function webhookOperations({ webhooks, organizationOf, audit, asProblem }: WebhookPorts): Operation[] {
  /** A team of the caller's, or of anybody where the caller is the operator; else it does not exist. */
  const requireTeam = async ({ organizationId, teamId: ownTeam }: Caller, teamId: string) => {
    const owner = await organizationOf(teamId);
    const isOwn = owner !== undefined && (organizationId === null || owner === organizationId);
    if (!isOwn || (ownTeam !== null && ownTeam !== teamId)) throw notFound();
  };
  const requireWebhook = async (caller: Caller, webhookId: string): Promise<WebhookView> => {
    const webhook = await webhooks.read(webhookId);
    if (webhook === undefined) throw notFound();
    await requireTeam(caller, webhook.team_id);
    return webhook;
  };
  const record = ({ caller, requestId }: Context, action: string, subjectId: string) =>
    audit({ caller, requestId, action: `webhooks.${action}`, subjectId });
  /** On the webhook that the request names; what is done to it is on the record. */
  const onWebhook = <Request extends { readonly webhook_id: string }>(
    action: string,
    summary: string,
    request: z.ZodType<Request>,
    response: z.ZodType,
    run: (request: Request, signal: AbortSignal) => Promise<unknown>,
  ): Operation =>
    operation(asProblem, {
      ...{ action, summary, request, response },
      async run(context) {
        const body = checkBody(request, context.json);
        await requireWebhook(context.caller, body.webhook_id);
        const done = await run(body, context.signal);
        if (done === undefined) throw notFound();
        await record(context, action, body.webhook_id);
        return done;
      },
    });
  return [
    operation(asProblem, {
      action: 'create',
      summary: 'Create a webhook endpoint',
      request: createWebhookRequest,
      response: createdWebhook,
      async run(context) {
        const { team_id, ...webhook } = checkBody(createWebhookRequest, context.json);
        await requireTeam(context.caller, team_id);
        const created = await webhooks.create(team_id, webhook);
        await record(context, 'create', created.webhook_id);
        return created;
      },
    }),
    operation(asProblem, {
      action: 'list',
      summary: 'List webhook endpoints',
      request: listWebhooksRequest,
      response: webhookList,
      async run({ caller, json }) {
        const { team_id } = checkBody(listWebhooksRequest, json);
        await requireTeam(caller, team_id);
        return { webhooks: await webhooks.list(team_id) };
      },
    }),
    onWebhook('remove', 'Remove a webhook', webhookRequest, webhookRemoved, async ({ webhook_id }) =>
      (await webhooks.remove(webhook_id)) ? { webhook_id } : undefined,
    ),
    onWebhook('rotate', 'Give a webhook a new secret', webhookRequest, webhookRotated, async ({ webhook_id }) => {
      const rotated = await webhooks.rotate(webhook_id);
      return rotated && { webhook_id, ...rotated };
    }),
    onWebhook('enable', 'Send to a disabled webhook again', webhookRequest, webhookView, ({ webhook_id }) =>
      webhooks.enable(webhook_id),
    ),
    onWebhook(
      'test',
      'Send a test message to a webhook, now',
      webhookRequest,
      webhookTested,
      ({ webhook_id }, signal) => webhooks.test(webhook_id, { signal }),
    ),
    onWebhook(
      'replay',
      'Send again what happened, under the same ids',
      replayWebhookRequest,
      webhookReplayed,
      ({ webhook_id, ...from }) => webhooks.replay(webhook_id, from),
    ),
  ];
}

function operation(
  asProblem: (thrown: unknown) => unknown,
  options: {
    readonly action: string;
    readonly summary: string;
    readonly request: z.ZodType;
    readonly response: z.ZodType;
    readonly run: (context: Context) => Promise<unknown>;
  },
): Operation {
  const { action, summary, request, response, run } = options;
  const operationId = `${action}Webhook${action === 'list' ? 's' : ''}`;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  return guarded<undefined>({
    method: 'post',
    path: `/v1/admin/webhooks/${action}`,
    operationId,
    tag: 'quoting',
    access: { scopes: ['admin', 'operator'] },
    summary,
    requestBody: createContentText(`${name}Body`, request, 'input'),
    answers: {
      200: { description: 'Done.', content: createContentText(`${name}Response`, response, 'output') },
    },
    problems: ['not_found'],
    locate: () => undefined,
    handle: async (context) => {
      try {
        return { status: 200, body: await run(context) };
      } catch (thrown) {
        throw asProblem(thrown);
      }
    },
  });
}
