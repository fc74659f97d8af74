import {
  asQuoteProblem,
  type Caller,
  checkBody,
  createContentText,
  type GuardedContext,
  guarded,
  notFound,
  type Operation,
  type QuoteAudit,
  type RouteGroup,
} from '@leeward/http';
import type { Webhooks, WebhookView } from '@leeward/quotes';
import type { z } from 'zod';
import { webhookNotes } from './webhook-notes.ts';
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
} from './webhook-schema.ts';

/** Webhooks, and the teams that they belong to. */
export interface WebhookPorts {
  /** `quotes.webhooks`. */
  readonly webhooks: Webhooks;
  /** Returns the organization of a team, undefined if there is no such team. */
  readonly organizationOf: (teamId: string) => Promise<string | undefined>;
  /** If omitted, changes are not recorded. */
  readonly audit?: QuoteAudit;
}

const tag = 'quoting';

type Context = Pick<GuardedContext<undefined>, 'caller' | 'json' | 'requestId' | 'network' | 'signal'>;

/**
 * `/v1/admin/webhooks/…`: endpoints that receive the events of a team's quotes.
 *
 * @example
 * const organizationOf = async (teamId: string) => (await directory.team(teamId))?.organizationId;
 * createLeeward({ directory, routes: [webhookRoutes({ webhooks: quotes.webhooks, organizationOf })] });
 */
export function webhookRoutes(ports: WebhookPorts): RouteGroup {
  return { name: tag, description: 'Endpoints that receive the events of quotes.', operations: operationsOf(ports) };
}

function operationsOf({ webhooks, organizationOf, audit = async () => {} }: WebhookPorts): Operation[] {
  /** @throws {Problem} `not_found` unless the team is the caller's, or the caller is the operator. */
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
  const record = ({ caller, requestId, network }: Context, action: string, subjectId: string) =>
    audit({ caller, requestId, network, action: `webhooks.${action}`, subjectId });
  /** An operation on the webhook that the request names, recorded in the audit log. */
  const onWebhook = <Request extends { readonly webhook_id: string }>(
    action: string,
    summary: string,
    request: z.ZodType<Request>,
    response: z.ZodType,
    run: (request: Request, signal: AbortSignal) => Promise<unknown>,
  ): Operation =>
    operation({
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
    operation({
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
    operation({
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
    onWebhook('rotate', 'Rotate the secret of a webhook', webhookRequest, webhookRotated, async ({ webhook_id }) => {
      const rotated = await webhooks.rotate(webhook_id);
      return rotated && { webhook_id, ...rotated };
    }),
    onWebhook('enable', 'Enable a webhook', webhookRequest, webhookView, ({ webhook_id }) =>
      webhooks.enable(webhook_id),
    ),
    onWebhook('test', 'Send a test message to a webhook', webhookRequest, webhookTested, ({ webhook_id }, signal) =>
      webhooks.test(webhook_id, { signal }),
    ),
    onWebhook('replay', 'Send past events again', replayWebhookRequest, webhookReplayed, ({ webhook_id, ...from }) =>
      webhooks.replay(webhook_id, from),
    ),
  ];
}

function operation(options: {
  readonly action: string;
  readonly summary: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  readonly run: (context: Context) => Promise<unknown>;
}): Operation {
  const { action, summary, request, response, run } = options;
  const operationId = `${action}Webhook${action === 'list' ? 's' : ''}`;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  const note = webhookNotes[operationId] ?? {};
  return guarded<undefined>({
    method: 'post',
    path: `/v1/admin/webhooks/${action}`,
    operationId,
    tag,
    access: { scopes: ['admin', 'operator'] },
    summary,
    ...(note.description !== undefined && { description: note.description }),
    requestBody: createContentText(`${name}Body`, request, 'input', note.request && { examples: note.request }),
    answers: {
      200: {
        description: 'Done.',
        content: createContentText(`${name}Response`, response, 'output', note.answer && { examples: note.answer }),
      },
    },
    problems: ['not_found'],
    locate: () => undefined,
    handle: async (context) => {
      try {
        return { status: 200, body: await run(context) };
      } catch (thrown) {
        throw asQuoteProblem(thrown);
      }
    },
  });
}
