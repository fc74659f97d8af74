import { inSpan, type StepText } from './tracing.ts';

/** What a span says of one call of a method. */
export type DescribeCall = (method: string, args: readonly unknown[]) => StepText;

/**
 * A port whose every method runs inside a span, `quotes.create`, and that is the same in all else: a plain object, of
 * whatever class the port is. Without an SDK of the host's a call costs a look for one.
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
          : // Read when it is asked for: it may change.
            { get: () => bound(Reflect.get(port, key), port), enumerable: true },
      );
    }
  }
  return traced as Port;
}

/** `Symbol.asyncDispose` and its like go on meaning the port. */
function bound(value: unknown, port: object): unknown {
  return typeof value === 'function' ? value.bind(port) : value;
}
