import type { IncomingMessage } from 'node:http';
import { CallNotMadeError, codeOf, createPublicCaller, type PublicCallerOptions } from '../outward/call-public.ts';

/** Result of a message to an endpoint. */
export type Posted =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      /** Undefined without a response. */
      readonly status: number | undefined;
      /** For the endpoint's owner, without response content. */
      readonly reason: string;
      readonly retryAfterMs: number | undefined;
    };

/** Never rejects. */
export type EventPost = (
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<Posted>;

export interface EventPostOptions extends PublicCallerOptions {
  readonly timeoutMs: number;
}

/** Only the status matters; the rest is read to reuse the connection. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Public internet only; redirects are not followed. `close` ends open connections. */
export function createEventPost(options: EventPostOptions): EventPost & { close(): void } {
  const caller = createPublicCaller(options);
  const post: EventPost = async (address, { headers, body }, signal) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const failed = (reason: string): Posted => ({ ok: false, status: undefined, reason, retryAfterMs: undefined });
    try {
      const call = { method: 'POST', headers, body, signal: AbortSignal.any([signal, limit]) } as const;
      return await resultOf(await caller.call(new URL(address), call));
    } catch (error) {
      if (limit.aborted) return failed('timeout');
      return failed(error instanceof CallNotMadeError ? error.reason : `no_answer (${codeOf(error)})`);
    }
  };
  return Object.assign(post, { close: () => caller.close() });
}

async function resultOf(answer: IncomingMessage): Promise<Posted> {
  const status = answer.statusCode ?? 0;
  const retryAfter = Number(answer.headers['retry-after']);
  await drain(answer);
  if (status >= 200 && status < 300) return { ok: true, status };
  const isRedirect = status >= 300 && status < 400;
  return {
    ok: false,
    status,
    reason: isRedirect ? `redirect (${status})` : `answered ${status}`,
    retryAfterMs: retryAfter > 0 ? Math.min(MAX_RETRY_AFTER_MS, retryAfter * 1000) : undefined,
  };
}

async function drain(answer: IncomingMessage): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of answer) {
      length += (chunk as Buffer).length;
      if (length > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status has arrived.
  }
  if (length > MAX_ANSWER_BYTES) answer.destroy();
}
