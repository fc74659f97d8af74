import {
  context,
  type Link,
  ProxyTracerProvider,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Incoming } from '../request/incoming.ts';

/** The tracer of the host's OpenTelemetry SDK; undefined without one. */
function hostTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer('@leeward/http')
    : provider.getTracer('@leeward/http');
}

const headerGetter = {
  get: (carrier: Pick<Incoming, 'header'>, key: string) => carrier.header(key.toLowerCase()) ?? undefined,
  // Only propagators that search by prefix call this; we support none.
  keys: () => [],
};

/** Runs a request in a server span, whose parent is in the headers. Without an SDK there is no span. */
export function inServerSpan<Result>(
  incoming: Pick<Incoming, 'header' | 'method'>,
  route: string,
  run: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const tracer = hostTracer();
  if (tracer === undefined) return run(undefined);
  const parent = propagation.extract(context.active(), incoming, headerGetter);
  const attributes = { 'http.request.method': incoming.method, 'http.route': route };
  return tracer.startActiveSpan(
    `${incoming.method} ${route}`,
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

/** Sets status and error of the span of a request. */
export function endServerSpan(span: Span | undefined, status: number, error: unknown): void {
  if (span === undefined) return;
  span.setAttribute('http.response.status_code', status);
  if (status < 500) return;
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (error instanceof Error) span.recordException({ name: error.name, message: error.name });
}

/** Attributes of a span: identifiers, keys and numbers, nothing personal. */
export interface StepText {
  /** @default SpanKind.INTERNAL */
  readonly kind?: SpanKind;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Spans that caused this one. If omitted, none. */
  readonly links?: readonly Link[];
}

/** Runs a step in a span, which ends when the result of the step has settled. */
export function inSpan<Result>(name: string, run: () => Result, { kind, attributes, links }: StepText = {}): Result {
  const tracer = hostTracer();
  if (tracer === undefined) return run();
  const options = { kind: kind ?? SpanKind.INTERNAL, attributes: { ...attributes }, links: [...(links ?? [])] };
  return tracer.startActiveSpan(name, options, (span) => {
    const fail = (error: unknown): never => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      // Only the name: the message of a carrier or a database may hold personal data.
      if (error instanceof Error) span.recordException({ name: error.name, message: error.name });
      throw error;
    };
    let result: Result;
    try {
      result = run();
    } catch (error) {
      span.end();
      return fail(error);
    }
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.catch(fail).finally(() => span.end()) as Result;
  });
}

/** The active span, to link to; undefined without one. */
export function activeSpanContext(): SpanContext | undefined {
  return hostTracer() === undefined ? undefined : trace.getActiveSpan()?.spanContext();
}
