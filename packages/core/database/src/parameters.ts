const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** Text, an integer or null: stored unchanged by both engines. */
export type StorableValue = string | number | bigint | null;

/**
 * Would be stored changed: PostgreSQL has no NUL in text, SQLite turns NaN into NULL, both replace unpaired surrogates. The message
 * omits the value.
 */
export class UnstorableValueError extends TypeError {
  override readonly name = 'UnstorableValueError';
  /** From 0. */
  readonly parameterIndex: number;

  constructor(parameterIndex: number, what: string) {
    super(`Parameter ${parameterIndex + 1} of the statement ${what}. Columns hold text, integers and null.`);
    this.parameterIndex = parameterIndex;
  }
}

/**
 * Checks the parameters of a statement.
 *
 * @throws {UnstorableValueError} at the first parameter that is not a {@link StorableValue}.
 * @example
 * checkParameters(['bayou_mutual', 184_350n]);
 */
export function checkParameters(parameters: readonly unknown[]): asserts parameters is readonly StorableValue[] {
  for (let index = 0; index < parameters.length; index++) {
    const fault = faultOf(parameters[index]);
    if (fault !== undefined) throw new UnstorableValueError(index, fault);
  }
}

function faultOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) return 'is text with a NUL character';
      return value.isWellFormed() ? undefined : 'is text with half of a surrogate pair';
    case 'number':
      return Number.isSafeInteger(value) ? undefined : 'is not an exact integer: use a bigint or text';
    case 'bigint':
      return value >= MIN_INTEGER && value <= MAX_INTEGER ? undefined : 'is an integer of more than 64 bits';
    default:
      if (value === null) return undefined;
      return `is ${typeof value === 'object' ? 'an object' : `of the type ${typeof value}`}`;
  }
}
