import type { CarrierRequest } from './carrier-adapter.ts';
import type { VerdictReason } from './verdict-source.ts';

/** Finds the carriers that storms and other events close for a while. */
export interface ClosureSource {
  /** Calls `listener` after events changed. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Names the events in force now, equally in all processes. Resolves with undefined while they are unknown. */
  stamp(): Promise<string | undefined>;
  /** The carriers that write the form there. Resolves with undefined while the events are unknown. */
  closuresOf(request: ClosureRequest): Promise<readonly CarrierClosure[] | undefined>;
}

/** The home of a quote. */
export type ClosureRequest = Pick<CarrierRequest, 'teamId' | 'formType' | 'effectiveDate' | 'fields'>;

/** A carrier's state for a home. */
export interface CarrierClosure {
  readonly carrierKey: string;
  /** `closed`: it refuses the home because of events alone. `refused`: also without them. */
  readonly state: 'open' | 'closed' | 'refused';
  /** Why it is closed; else empty. */
  readonly reasons: readonly VerdictReason[];
}
