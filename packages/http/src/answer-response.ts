import type { Answer } from './operation/operation.ts';
import { securityHeaders } from './security-headers.ts';

/** Writes an answer, with every header field at once: setting them one by one afterwards costs more than all else. */
export function answerResponse(
  answer: Answer,
  requestId: string,
  headers: Readonly<Record<string, string>> | undefined,
  indent = 0,
): Response {
  const text = answer.text ?? (answer.body === undefined ? null : written(answer.body, indent));
  return new Response(text, {
    status: answer.status,
    headers: {
      ...securityHeaders,
      ...(text === null ? undefined : { 'content-type': answer.contentType ?? 'application/json' }),
      ...headers,
      ...answer.headers,
      'x-request-id': requestId,
    },
  });
}

function written(body: unknown, indent: number): string {
  return indent === 0 ? JSON.stringify(body) : `${JSON.stringify(body, null, indent)}\n`;
}
