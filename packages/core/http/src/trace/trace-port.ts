import { inSpan, type StepText } from './tracing.ts';

/** Attributes of the span of one call. */
export type DescribeCall = (method: string, args: readonly unknown[]) => StepText;

/**
 * Runs each call of a port's methods in a span such as `quotes.create`. Costs one lookup without an OpenTelemetry SDK.
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

/** Symbol methods keep `this`. */
function bound(value: unknown, port: object): unknown {
  return typeof value === 'function' ? value.bind(port) : value;
}
