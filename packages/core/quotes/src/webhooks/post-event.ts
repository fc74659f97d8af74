import type { IncomingMessage } from 'node:http';
import { CallNotMadeError, codeOf, createPublicCaller, type PublicCallerOptions } from '../outward/call-public.ts';

/** What came of one request. */
export type Posted =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      /** Undefined where no answer came. */
      readonly status: number | undefined;
      /** For whoever looks after the endpoint: nothing of what it answered. */
      readonly reason: string;
      readonly retryAfterMs: number | undefined;
    };

/** Sends JSON to an endpoint. Never rejects. */
export type EventPost = (
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<Posted>;

export interface EventPostOptions extends PublicCallerOptions {
  readonly timeoutMs: number;
}

/** Of an answer nothing but its status is used; so much of it is let by, to keep the connection. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Posts to the public internet alone; a redirect is not followed. @returns with `close` for what is kept open. */
export function createEventPost(options: EventPostOptions): EventPost & { close(): void } {
  const caller = createPublicCaller(options);
  const post: EventPost = async (address, { headers, body }, signal) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const failed = (reason: string): Posted => ({ ok: false, status: undefined, reason, retryAfterMs: undefined });
    try {
      const call = { method: 'POST', headers, body, signal: AbortSignal.any([signal, limit]) } as const;
      return await judge(await caller.call(new URL(address), call));
    } catch (error) {
      if (limit.aborted) return failed('timeout');
      return failed(error instanceof CallNotMadeError ? error.reason : `no_answer (${codeOf(error)})`);
    }
  };
  return Object.assign(post, { close: () => caller.close() });
}

async function judge(answer: IncomingMessage): Promise<Posted> {
  const status = answer.statusCode ?? 0;
  const retryAfter = Number(answer.headers['retry-after']);
  await letBy(answer);
  if (status >= 200 && status < 300) return { ok: true, status };
  const isRedirect = status >= 300 && status < 400;
  return {
    ok: false,
    status,
    reason: isRedirect ? `redirect (${status})` : `answered ${status}`,
    retryAfterMs: retryAfter > 0 ? Math.min(MAX_RETRY_AFTER_MS, retryAfter * 1000) : undefined,
  };
}

/** What was answered is read to its end, or the connection given up where that is too much. The status counts either way. */
async function letBy(answer: IncomingMessage): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of answer) {
      length += (chunk as Buffer).length;
      if (length > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // It said its status, and broke off.
  }
  if (length > MAX_ANSWER_BYTES) answer.destroy();
}
