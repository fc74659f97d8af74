/** A body produced while it is sent. The request has freed its places by then. */
export interface AnswerStream {
  /**
   * undefined at the end. Called after the last chunk was sent, never after `close`. If it rejects, the connection breaks, so that a
   * part never looks complete.
   */
  read(): Promise<string | Uint8Array | undefined>;
  /** Called when reading stops, in any way. */
  close(): void;
}

/** `body` is sent as JSON, `text` and `bytes` unchanged. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly stream?: AnswerStream;
  /** @default 'application/json' */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server that terminates TLS adds `Strict-Transport-Security`. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** An answer with all header fields. */
export interface WrittenAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: no body, bytes or a stream. */
  readonly text: string | null;
  readonly bytes?: Uint8Array;
  /** The server reads or closes it. */
  readonly stream?: AnswerStream;
}

/** Adding fields one by one is slow. */
export function writeAnswer(
  answer: Answer,
  requestId: string,
  headers: Readonly<Record<string, string>> | undefined,
  indent: number,
): WrittenAnswer {
  const text = answer.text ?? (answer.body === undefined ? null : stringify(answer.body, indent));
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

/** Without a body for `HEAD`. */
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
        let chunk: string | Uint8Array | undefined;
        try {
          chunk = await stream.read();
        } catch (error) {
          stream.close();
          throw error;
        }
        if (chunk !== undefined) return controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
        stream.close();
        controller.close();
      },
      cancel: () => stream.close(),
    },
    // Reads nothing ahead.
    { highWaterMark: 0 },
  );
}

function stringify(body: unknown, indent: number): string {
  return indent === 0 ? JSON.stringify(body) : `${JSON.stringify(body, null, indent)}\n`;
}
