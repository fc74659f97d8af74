import type { CarrierLimits } from '../ports/carrier-adapter.ts';

/** Whether a carrier may be asked now: yes, with one trial call, or not for so long. */
export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'trial' }
  | { readonly kind: 'resting'; readonly waitMs: number };

/** Leaves a carrier alone that keeps failing, and tries it again with one call at a time. By a clock that nobody sets. */
export interface Breaker {
  /** After a `trial`, `forgo` follows when all is done, whether or not the call was made. */
  admit(): Admission;
  forgo(admission: Admission): void;
  /** Whether nothing would be admitted now. Takes nothing. */
  isResting(): boolean;
  /** Makes the call. Rejecting with a {@link CarrierTrouble} counts against the carrier; anything else does not. */
  run<Result>(admission: Admission, call: () => Promise<Result>): Promise<Result>;
}

/** What counts against a carrier, with what is thrown on in its place. */
export class CarrierTrouble extends Error {
  override readonly name = 'CarrierTrouble';
}

/** @param onChange hears when the carrier is given up (true) and when it works again (false). */
export function createBreaker(limits: CarrierLimits['breaker'], onChange: (broken: boolean) => void): Breaker {
  let failures = 0;
  /** While the carrier is given up: when it may be tried. */
  let restUntil: number | undefined;
  let trial: Admission | undefined;

  const giveUp = () => {
    const before = restUntil;
    restUntil = performance.now() + limits.restMs;
    if (before === undefined) onChange(true);
  };
  return {
    admit() {
      if (restUntil === undefined) return { kind: 'admitted' };
      const waitMs = restUntil - performance.now();
      if (waitMs > 0) return { kind: 'resting', waitMs };
      // Whoever comes while the trial is under way waits about as long as a healthy carrier takes.
      if (trial !== undefined) return { kind: 'resting', waitMs: Math.min(1000, limits.restMs) };
      trial = { kind: 'trial' };
      return trial;
    },
    isResting: () => restUntil !== undefined && (trial !== undefined || restUntil > performance.now()),
    forgo(admission) {
      if (trial === admission) trial = undefined;
    },
    async run(admission, call) {
      try {
        const result = await call();
        // Admitted while all was well, and given up because of others meanwhile: that it went well decides nothing.
        if (admission.kind === 'trial' && restUntil !== undefined) {
          restUntil = undefined;
          onChange(false);
        }
        if (restUntil === undefined) failures = 0;
        return result;
      } catch (error) {
        if (!(error instanceof CarrierTrouble)) throw error;
        if (admission.kind === 'trial') giveUp();
        else if (restUntil === undefined && ++failures >= limits.failures) giveUp();
        throw error;
      }
    },
  };
}
