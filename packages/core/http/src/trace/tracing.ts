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

/** undefined without an OpenTelemetry SDK. */
function hostTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer('@leeward/http')
    : provider.getTracer('@leeward/http');
}

const headerGetter = {
  get: (carrier: Pick<Incoming, 'header'>, key: string) => carrier.header(key.toLowerCase()) ?? undefined,
  // Only for propagators that search by prefix, which are not supported.
  keys: () => [],
};

/** The parent is in the headers. */
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

export function endServerSpan(span: Span | undefined, status: number, error: unknown): void {
  if (span === undefined) return;
  span.setAttribute('http.response.status_code', status);
  if (status < 500) return;
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (error instanceof Error) span.recordException({ name: error.name, message: error.name });
}

/** Identifiers, keys and numbers; no personal data. */
export interface StepText {
  /** @default SpanKind.INTERNAL */
  readonly kind?: SpanKind;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** If omitted, none. */
  readonly links?: readonly Link[];
}

/** The span ends when the result has settled. */
export function inSpan<Result>(name: string, run: () => Result, { kind, attributes, links }: StepText = {}): Result {
  const tracer = hostTracer();
  if (tracer === undefined) return run();
  const options = { kind: kind ?? SpanKind.INTERNAL, attributes: { ...attributes }, links: [...(links ?? [])] };
  return tracer.startActiveSpan(name, options, (span) => {
    const fail = (error: unknown): never => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      // Messages may contain personal data.
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

/** undefined without one. */
export function activeSpanContext(): SpanContext | undefined {
  return hostTracer() === undefined ? undefined : trace.getActiveSpan()?.spanContext();
}
