import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export interface RecordedSpan {
  readonly name: string;
  readonly kind: number | undefined;
  readonly attributes: Attributes;
  /** Name of the parent span. */
  readonly parent: string | undefined;
  readonly links: readonly Link[];
  readonly spanId: string;
  readonly exceptions: unknown[];
  status: number | undefined;
  ended: boolean;
}

/** A fake OpenTelemetry SDK that keeps spans in order. */
export function recordSpans(): Disposable & { readonly spans: readonly RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const names = new Map<string, string>();
  const storage = new AsyncLocalStorage<Context>();
  const contexts: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => contexts,
    disable: () => contexts,
  };
  const start = (name: string, options: SpanOptions, parent: Context): Span => {
    const spanId = String(spans.length + 1).padStart(16, '0');
    names.set(spanId, name);
    const above = trace.getSpan(parent)?.spanContext().spanId;
    const recorded: RecordedSpan = {
      name,
      kind: options.kind,
      attributes: { ...options.attributes },
      parent: above === undefined ? undefined : names.get(above),
      links: options.links ?? [],
      spanId,
      exceptions: [],
      status: undefined,
      ended: false,
    };
    spans.push(recorded);
    const span = {
      spanContext: () => ({ traceId: '1'.repeat(32), spanId, traceFlags: 1 }),
      setAttribute(key: string, value: never) {
        recorded.attributes[key] = value;
        return span;
      },
      setStatus({ code }: { code: number }) {
        recorded.status = code;
        return span;
      },
      recordException: (exception: unknown) => void recorded.exceptions.push(exception),
      end() {
        recorded.ended = true;
      },
    } as unknown as Span;
    return span;
  };
  const tracer = {
    startSpan: start,
    startActiveSpan(name: string, ...rest: unknown[]) {
      const run = rest.at(-1) as (span: Span) => unknown;
      const options = (rest.length > 1 ? rest[0] : {}) as SpanOptions;
      const parent = (rest.length > 2 ? rest[1] : context.active()) as Context;
      const span = start(name, options, parent);
      return context.with(trace.setSpan(parent, span), () => run(span));
    },
  } as unknown as Tracer;
  context.setGlobalContextManager(contexts);
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  return {
    spans,
    [Symbol.dispose]() {
      trace.disable();
      context.disable();
    },
  };
}
