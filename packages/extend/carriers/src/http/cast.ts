/** What a value is written as. */
export type CastType = 'string' | 'number' | 'boolean' | undefined;

/** A value written as text, number or truth value; as it is where nothing is asked, undefined for what is no number. */
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

/** Whether a value means yes: `true`, or one of the words for it. */
export function isTruth(value: unknown): boolean {
  return value === true || /^(true|yes|y|1)$/i.test(String(value));
}
