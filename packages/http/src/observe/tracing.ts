import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** The API alone: without an SDK, which is the host's to bring, all of this does nothing. */
const tracer = () => trace.getTracer('@leeward/http');

const headerGetter = {
  get: (carrier: Headers, key: string) => carrier.get(key) ?? undefined,
  keys: (carrier: Headers) => [...carrier.keys()],
};

/** Runs a request inside a server span, under the parent that its headers name. */
export function inServerSpan<Result>(
  request: Request,
  route: string,
  run: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = propagation.extract(context.active(), request.headers, headerGetter);
  const attributes = { 'http.request.method': request.method, 'http.route': route };
  return tracer().startActiveSpan(
    `${request.method} ${route}`,
    { kind: SpanKind.SERVER, attributes },
    parent,
    async (span) => {
      try {
        return await run(span);
      } finally {
        span.end();
      }
    },
  );
}

/** Notes on the span how its request ended. */
export function endServerSpan(span: Span, status: number, error: unknown): void {
  span.setAttribute('http.response.status_code', status);
  if (status < 500) return;
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (error instanceof Error) span.recordException({ name: error.name, message: error.name });
}

/** Runs one step inside a span of its own. */
export async function inSpan<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  return tracer().startActiveSpan(name, async (span) => {
    try {
      return await run();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
