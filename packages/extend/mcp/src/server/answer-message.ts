import { type Answer, type AnswerStream, type GuardedContext, type Leeward, Problem } from '@leeward/http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { TextResource } from '../resources/resources.ts';
import { createService } from '../service/service.ts';
import type { ReviewRules } from '../tool/tool.ts';
import { createMcpServer } from './mcp-server.ts';

/** The parts of a call. */
export interface MessageOptions {
  readonly service: () => Pick<Leeward, 'fetch' | 'document'>;
  readonly resources: readonly TextResource[];
  readonly onError: (error: unknown) => void;
  readonly basePath: string;
  /** Reviews of the asker, aborted by the signal. */
  readonly reviewWithin: (signal: AbortSignal) => ReviewRules;
  /** Called once, when the answer was sent or the asker has gone. */
  readonly leave: () => void;
}

const BOTH = 'application/json, text/event-stream';

/** The tools run after the request has freed its places, while the answer is streamed, and each call of the service takes a new place. */
export async function answerMessage(context: GuardedContext<undefined>, options: MessageOptions): Promise<Answer> {
  const { leave, reviewWithin, resources, onError, basePath } = options;
  const leeward = options.service();
  const gone = new AbortController();
  const url = new URL(context.request.url);
  const service = {
    ...createService({
      url: `${url.origin}${basePath}`,
      token: (context.header('authorization') ?? '').replace(/^Bearer\s+/i, ''),
      signal: gone.signal,
      fetch: (request) => {
        request.headers.set('x-request-id', context.requestId);
        return leeward.fetch(request, { incoming: { socket: { remoteAddress: context.address } } });
      },
    }),
    document: async () => leeward.document(),
  };
  const { organizationId, scopes } = context.caller;
  // The guards of this operation have read the token.
  const holder = { organization_id: organizationId, scopes };
  const server = createMcpServer({ service, review: reviewWithin(gone.signal), holder, resources, onError });
  const close = () => {
    gone.abort();
    void server.close().catch(onError);
    leave();
  };
  const transport = new WebStandardStreamableHTTPServerTransport({});
  try {
    await server.connect(transport);
    const headers = new Headers({ accept: BOTH, 'content-type': 'application/json' });
    const version = context.header('mcp-protocol-version');
    if (version !== null) headers.set('mcp-protocol-version', version);
    const request = new Request(url, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: context.json });
    if (response.status === 202) {
      close();
      return { status: 202 };
    }
    if (response.status !== 200 || response.body === null) throw await refusalOf(response);
    const stream = streamOf(response.body, close);
    // The signal does not fire again for a client that has already gone.
    if (context.signal.aborted) stream.close();
    else context.signal.addEventListener('abort', () => stream.close(), { once: true });
    return { status: 200, stream, contentType: 'text/event-stream', headers: { 'x-accel-buffering': 'no' } };
  } catch (error) {
    close();
    throw error;
  }
}

function streamOf(body: ReadableStream<Uint8Array>, close: () => void): AnswerStream {
  const reader = body.getReader();
  return {
    async read() {
      const { value } = await reader.read();
      return value;
    },
    close() {
      void reader.cancel().catch(() => {});
      close();
    },
  };
}

async function refusalOf(response: Response): Promise<Problem> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  return new Problem('malformed_request', error?.message ?? 'The message does not fit the Model Context Protocol.');
}
