export type CastType = 'string' | 'number' | 'boolean' | undefined;

/** Undefined if it is not a finite number. */
export function castTo<Value>(value: Value, as: CastType): Value | string | number | boolean | undefined {
  switch (as) {
    case 'string':
      return String(value);
    case 'number': {
      const number = Number(value);
      return Number.isFinite(number) ? number : undefined;
    }
    case 'boolean':
      return isTruth(value);
    default:
      return value;
  }
}

/** `true`, and words that mean yes. */
export function isTruth(value: unknown): boolean {
  return value === true || /^(true|yes|y|1)$/i.test(String(value));
}
