import type { CarrierLimits } from '../ports/carrier-adapter.ts';

/*
 * The circuit breaker of one carrier, in one process.
 *
 *     closed     every call is admitted; `failures` failures in a row open it
 *     open       calls are refused for `cooldownMs`
 *     half open  one trial call is admitted: its success closes the breaker, its failure opens it again
 *
 * Decides before a rate is handed out. A trial that is not made is returned with `cancel`.
 */

/** Admitted, admitted as the trial, or refused for `waitMs`. */
export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'trial' }
  | { readonly kind: 'refused'; readonly waitMs: number };

export interface Breaker {
  /** Call `cancel` afterwards, whether or not the call was made. */
  admit(): Admission;
  cancel(admission: Admission): void;
  /** A rejection with {@link CarrierFailure} counts as a failure, every other result as a success. */
  run<Result>(admission: Admission, call: () => Promise<Result>): Promise<Result>;
}

export class CarrierFailure extends Error {
  override readonly name = 'CarrierFailure';
}

/** @param onChange Called with true when the breaker opens, false when it closes. */
export function createBreaker(limits: CarrierLimits['breaker'], onChange: (isOpen: boolean) => void): Breaker {
  let failures = 0;
  let openUntil: number | undefined;
  let trial: Admission | undefined;

  const open = () => {
    const wasClosed = openUntil === undefined;
    openUntil = performance.now() + limits.cooldownMs;
    if (wasClosed) onChange(true);
  };
  return {
    admit() {
      if (openUntil === undefined) return { kind: 'admitted' };
      const waitMs = openUntil - performance.now();
      if (waitMs > 0) return { kind: 'refused', waitMs };
      if (trial !== undefined) return { kind: 'refused', waitMs: Math.min(1000, limits.cooldownMs) };
      trial = { kind: 'trial' };
      return trial;
    },
    cancel(admission) {
      if (trial === admission) trial = undefined;
    },
    async run(admission, call) {
      try {
        const result = await call();
        // A call admitted before the breaker opened does not close it.
        if (admission.kind === 'trial' && openUntil !== undefined) {
          openUntil = undefined;
          onChange(false);
        }
        if (openUntil === undefined) failures = 0;
        return result;
      } catch (error) {
        if (!(error instanceof CarrierFailure)) throw error;
        if (admission.kind === 'trial') open();
        else if (openUntil === undefined && ++failures >= limits.failures) open();
        throw error;
      }
    },
  };
}
