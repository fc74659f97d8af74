/** Text or bytes that come as they come. By the time they are read the request has given back all that it held. */
export interface AnswerStream {
  /**
   * Resolves with the next piece, undefined at the end. One at a time, none after `close`, and only when the last one was
   * taken. Where it rejects the connection breaks: what was sent by then never looks like the whole.
   */
  read(): Promise<string | Uint8Array | undefined>;
  /** Nobody reads on: after the end as well, and also where nothing was read. */
  close(): void;
}

/** The answer of an operation. A body is written as JSON, a text or bytes as they are. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly stream?: AnswerStream;
  /** Default `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The same on every answer: nothing here is a page, a script or fit for a cache. `Strict-Transport-Security` is
 * left to whoever ends TLS.
 */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** An answer as it goes over the wire. */
export interface WrittenAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: no body, bytes or a stream. */
  readonly text: string | null;
  readonly bytes?: Uint8Array;
  /** To be read to its end, or closed. */
  readonly stream?: AnswerStream;
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
      ...(text === null && answer.bytes === undefined && answer.stream === undefined
        ? undefined
        : { 'content-type': answer.contentType ?? 'application/json' }),
      ...headers,
      ...answer.headers,
      'x-request-id': requestId,
    },
    text,
    ...(answer.bytes && { bytes: answer.bytes }),
    ...(answer.stream && { stream: answer.stream }),
  };
}

/** The same as a web response; of a HEAD request without its body. */
export function toResponse({ status, headers, text, bytes, stream }: WrittenAnswer, method: string): Response {
  if (method === 'HEAD') {
    stream?.close();
    return new Response(null, { status, headers });
  }
  const body = stream === undefined ? (bytes ?? text) : webStream(stream);
  return new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers });
}

function webStream(stream: AnswerStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        let piece: string | Uint8Array | undefined;
        try {
          piece = await stream.read();
        } catch (thrown) {
          stream.close();
          throw thrown;
        }
        if (piece !== undefined) return controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
        stream.close();
        controller.close();
      },
      cancel: () => stream.close(),
    },
    // Nothing is read ahead of whoever takes it.
    { highWaterMark: 0 },
  );
}

function written(body: unknown, indent: number): string {
  return indent === 0 ? JSON.stringify(body) : `${JSON.stringify(body, null, indent)}\n`;
}
