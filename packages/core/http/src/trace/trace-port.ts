import { inSpan, type StepText } from './tracing.ts';

/** Attributes of the span of one call. */
export type DescribeCall = (method: string, args: readonly unknown[]) => StepText;

/**
 * Wraps a port, so that each call of a method runs in a span such as `quotes.create`. The result is a plain object with the same
 * properties. Without an OpenTelemetry SDK a call costs one lookup.
 *
 * @example
 * const store = tracePort('offices', openOfficeStore());
 */
export function tracePort<Port extends object>(name: string, port: Port, describe?: DescribeCall): Port {
  const traced: Record<PropertyKey, unknown> = {};
  for (let level: object = port; level !== Object.prototype && level !== null; level = Object.getPrototypeOf(level)) {
    for (const key of Reflect.ownKeys(level)) {
      if (key === 'constructor' || Object.hasOwn(traced, key)) continue;
      const value: unknown = Reflect.get(port, key);
      const isMethod = typeof value === 'function' && typeof key === 'string';
      const call = (...args: unknown[]) =>
        inSpan(
          `${name}.${String(key)}`,
          () => Reflect.apply(value as () => unknown, port, args),
          describe?.(String(key), args),
        );
      Object.defineProperty(
        traced,
        key,
        isMethod
          ? { value: call, enumerable: true }
          : // Read at each access: the value may change.
            { get: () => bound(Reflect.get(port, key), port), enumerable: true },
      );
    }
  }
  return traced as Port;
}

/** Symbol methods such as `Symbol.asyncDispose` keep `this`. */
function bound(value: unknown, port: object): unknown {
  return typeof value === 'function' ? value.bind(port) : value;
}
