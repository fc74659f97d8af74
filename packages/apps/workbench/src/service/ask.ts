import { isRefused, session } from './session.ts';

/** A problem from the service, or a missing answer. */
export interface Failure {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

export type Answered<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly failure: Failure };

const MAX_WAIT_MS = 20_000;

/** Never rejects; an aborted call returns the code `given_up`. */
export async function ask<Data>(path: string, body: unknown, options: AskOptions = {}): Promise<Answered<Data>> {
  const { signal, as = 'token', method = 'POST', read = 'json' } = options;
  const token = options.token ?? tokenOf(as);
  const signals = [AbortSignal.timeout(MAX_WAIT_MS), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(new URL(`.${path}`, document.baseURI), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
      signal: AbortSignal.any(signals),
    });
    if (response.ok && read === 'file') return { ok: true, data: (await response.blob()) as Data };
    const answer = readJson(await response.text());
    if (response.status === 401 && token === tokenOf(as)) isRefused.value = true;
    return response.ok && answer !== undefined
      ? { ok: true, data: answer as Data }
      : { ok: false, failure: failureOf(answer, response.status) };
  } catch (error) {
    return { ok: false, failure: noAnswer(signal?.aborted ?? false, error) };
  }
}

const tokenOf = (as: 'token' | 'team'): string =>
  (as === 'team' ? session.value?.teamToken : undefined) ?? session.value?.token ?? '';

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** The token to send. @default 'token' */
  readonly as?: 'token' | 'team';
  /** Replaces the tokens of the session. */
  readonly token?: string;
  /** @default POST */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** How to read the answer: a file is a `Blob`. @default json */
  readonly read?: 'json' | 'file';
}

/**
 * Follows Server-Sent Events. Calls `heard` when the stream opens and for each event. Ends with the stream or the signal; never rejects.
 */
export async function follow(path: string, signal: AbortSignal, onEvent: () => void): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${tokenOf('team')}`, accept: 'text/event-stream' };
    const { ok, body } = await fetch(new URL(`.${path}`, document.baseURI), { headers, signal });
    const reader = ok && body ? body.pipeThrough(new TextDecoderStream()).getReader() : undefined;
    for (let buffer = ''; reader; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (buffer + value).split('\n\n');
      buffer = events.pop()!;
      // A comment, which keeps the connection open.
      if (events.some((event) => !event.startsWith(':'))) onEvent();
    }
  } catch {
    // Polling reports the failure.
  }
}

/** A proxy may answer with other text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(answer: unknown, status: number): Failure {
  const problem = typeof answer === 'object' && answer !== null ? (answer as Partial<Failure>) : {};
  const still = 'Your input is kept; try again.';
  const { code = 'unknown', title = `The service answered ${status}`, detail = still, errors = [] } = problem;
  return { status, code, title, detail, errors };
}

function noAnswer(isGivenUp: boolean, error: unknown): Failure {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  return {
    status: 0,
    code: isGivenUp ? 'given_up' : isLate ? 'late' : 'out_of_reach',
    title: isLate ? 'The service is slow' : 'The service is out of reach',
    detail: isLate
      ? `No response within ${MAX_WAIT_MS / 1000} seconds. Your input is kept; try again.`
      : 'No response. Your input is kept. Change a field or press Try again to repeat the request.',
    errors: [],
  };
}
