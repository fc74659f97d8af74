import type { LineSource } from '@leeward/engine/check-thread';
import {
  checkBody,
  createContentText,
  createShares,
  guarded,
  type Leeward,
  Problem,
  type RouteGroup,
  tenantOf,
} from '@leeward/http';
import { z } from 'zod';
import type { TextResource } from '../resources/resources.ts';
import type { ReviewRules } from '../tool/tool.ts';
import { ToolError } from '../tool/tool-error.ts';
import { reviewOnThreads } from './review-rules.ts';

const BOTH = 'application/json, text/event-stream';

/** The service that the tools call, and the resources. */
export interface McpRoutesOptions {
  /** The service that these routes belong to. Called with each request. */
  readonly service: () => Pick<Leeward, 'fetch' | 'document'>;
  readonly resources: readonly TextResource[];
  /** Unexpected errors. */
  readonly onError: (error: unknown) => void;
  /** Lines of business of one's own, for reviews. @default [] */
  readonly lineModules?: readonly LineSource[];
  /** Prefix of the service in paths. @default '' */
  readonly basePath?: string;
}

const message = z
  .strictObject({
    jsonrpc: z.literal('2.0', { error: 'give "2.0"' }),
    id: z.union([z.string(), z.int()]).optional().meta({ description: 'Absent for a notification.' }),
    method: z.string({ error: 'give the name of a method: "tools/call"' }),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A JSON-RPC message of the Model Context Protocol.' });

const event = z
  .object({
    event: z.literal('message').meta({ description: 'Always `message`.' }),
    data: z.string().meta({ description: 'The JSON-RPC answer, in one line.', contentMediaType: 'application/json' }),
  })
  .meta({ id: 'McpEvent', description: 'A Server-Sent Event with an answer.' });

/** Open calls at once. One organization gets a fifth of all. */
const MAX_CALLS = 250;
const MAX_REVIEWS = 20;
const shareOf = (max: number) => Math.ceil(max / 5);

const loadAnswerMessage = () => import('./answer-message.ts');

/**
 * `POST /mcp`: the tools over Streamable HTTP (Model Context Protocol, 2025-11-25), without sessions. Each call has the rights of its
 * token: tools call the operations of the same service, with all of its guards.
 *
 * @example
 * const leeward: Leeward = createLeeward({ ...ports, routes: [mcpRoutes({ service: () => leeward, resources: referenceResources(), onError })] });
 */
export function mcpRoutes(options: McpRoutesOptions): RouteGroup {
  const { lineModules } = options;
  // Loading the SDK takes a tenth of a second: now, rather than during the first call. A call reports a failure.
  loadAnswerMessage().catch(() => {});
  const calls = createShares(MAX_CALLS, shareOf(MAX_CALLS));
  const reviews = createShares(MAX_REVIEWS, shareOf(MAX_REVIEWS));
  return {
    name: 'mcp',
    description: 'Tools for AI agents.',
    operations: [
      guarded<undefined>({
        method: 'post',
        path: '/mcp',
        operationId: 'callMcp',
        tag: 'mcp',
        access: { scopes: ['underwrite', 'distance', 'rules', 'admin', 'operator'] },
        summary: 'Send a message of the Model Context Protocol',
        description:
          'Streamable HTTP without sessions: one message, and for a request a stream with its answer. Lists and runs the tools that the scopes of the token allow. `Accept` has both `application/json` and `text/event-stream`.',
        requestBody: createContentText('McpMessage', message, 'input', {
          examples: {
            tools: { summary: 'The tools', value: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } },
            decide: {
              summary: 'The verdict of every carrier',
              value: {
                jsonrpc: '2.0',
                id: 2,
                method: 'tools/call',
                params: {
                  name: 'decide',
                  arguments: { home: { state: 'tx', policy_type: 'ho3', roof_type: 'metal', roof_age: 22 } },
                },
              },
            },
          },
        }),
        answers: {
          200: {
            description: 'Server-Sent Events: the answer.',
            mediaType: 'text/event-stream',
            content: createContentText('McpEvent', event, 'output'),
          },
          202: { description: 'A notification was accepted.' },
        },
        problems: ['malformed_request'],
        locate: () => undefined,
        async handle(context) {
          const { caller } = context;
          const tenant = tenantOf(caller);
          requireAccept(context.header('accept'));
          checkBody(message, context.json);
          if (!calls.enter(tenant)) throw busy('Your organization has its maximum of calls of tools open.');
          let leave: (() => void) | undefined = () => calls.leave(tenant);
          try {
            const { answerMessage } = await loadAnswerMessage();
            return await answerMessage(context, {
              ...options,
              basePath: options.basePath ?? '',
              reviewWithin: (signal) => limited(reviews, tenant, reviewOnThreads({ tenant, signal, lineModules })),
              leave: () => {
                leave?.();
                leave = undefined;
              },
            });
          } catch (error) {
            leave?.();
            throw error;
          }
        },
      }),
    ],
  };
}

/** @throws {Problem} `malformed_request` */
function requireAccept(accept: string | null): void {
  const types = (accept ?? '*/*').toLowerCase();
  const isAll = types.includes('*/*');
  if (isAll || (types.includes('application/json') && types.includes('text/event-stream'))) return;
  throw new Problem('malformed_request', `The Accept field must have both types of an answer: Accept: ${BOTH}`);
}

function limited(shares: ReturnType<typeof createShares>, tenant: string, review: ReviewRules): ReviewRules {
  return async (input) => {
    if (!shares.enter(tenant)) {
      throw new ToolError('Your organization has its maximum of reviews running. Try again in a few seconds.');
    }
    try {
      return await review(input);
    } finally {
      shares.leave(tenant);
    }
  };
}

function busy(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'retry-after': '5' } });
}
