import type { Answer } from './operation/operation.ts';
import { securityHeaders } from './security-headers.ts';

/** An answer as it goes over the wire. */
export interface WrittenAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: no body. */
  readonly text: string | null;
}

/** Writes an answer, with every header field at once: setting them one by one afterwards costs more than all else. */
export function writeAnswer(
  answer: Answer,
  requestId: string,
  headers: Readonly<Record<string, string>> | undefined,
  indent: number,
): WrittenAnswer {
  const text = answer.text ?? (answer.body === undefined ? null : written(answer.body, indent));
  return {
    status: answer.status,
    headers: {
      ...securityHeaders,
      ...(text === null ? undefined : { 'content-type': answer.contentType ?? 'application/json' }),
      ...headers,
      ...answer.headers,
      'x-request-id': requestId,
    },
    text,
  };
}

/** The same as a web response; of a HEAD request without its body. */
export function toResponse({ status, headers, text }: WrittenAnswer, method: string): Response {
  return new Response(method === 'HEAD' ? null : text, { status, headers });
}

function written(body: unknown, indent: number): string {
  return indent === 0 ? JSON.stringify(body) : `${JSON.stringify(body, null, indent)}\n`;
}
