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

/** The host's tracer: the API alone is ours, the SDK is the host's to bring. Undefined where it brings none. */
function hostTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer('@leeward/http')
    : provider.getTracer('@leeward/http');
}

const headerGetter = {
  get: (carrier: Pick<Incoming, 'header'>, key: string) => carrier.header(key.toLowerCase()) ?? undefined,
  // Asked for by propagators of baggage by prefix alone, which a service of others' requests has no use for.
  keys: () => [],
};

/** Runs a request inside a server span, under the parent that its headers name. Without an SDK there is no span. */
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

/** Notes on the span how its request ended. */
export function endServerSpan(span: Span | undefined, status: number, error: unknown): void {
  if (span === undefined) return;
  span.setAttribute('http.response.status_code', status);
  if (status < 500) return;
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (error instanceof Error) span.recordException({ name: error.name, message: error.name });
}

/** What a span says of one step: identifiers, keys and numbers, nothing personal. */
export interface StepText {
  /** Default: inside this process. */
  readonly kind?: SpanKind;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Spans that led to this one. */
  readonly links?: readonly Link[];
}

/** Runs one step inside a span of its own, which ends when what the step gives has settled. */
export function inSpan<Result>(name: string, run: () => Result, { kind, attributes, links }: StepText = {}): Result {
  const tracer = hostTracer();
  if (tracer === undefined) return run();
  const options = { kind: kind ?? SpanKind.INTERNAL, attributes: { ...attributes }, links: [...(links ?? [])] };
  return tracer.startActiveSpan(name, options, (span) => {
    const fail = (error: unknown): never => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      // Its name alone: a message may hold what a carrier or a database says of somebody.
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

/** The span that is active, for a link to it from elsewhere; undefined where there is none, or no SDK. */
export function activeSpanContext(): SpanContext | undefined {
  return hostTracer() === undefined ? undefined : trace.getActiveSpan()?.spanContext();
}
