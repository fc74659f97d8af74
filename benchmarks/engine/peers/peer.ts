import type { Facts } from '../homes.ts';

/** Outcome of one carrier for one home: worst rule that holds. */
export type PeerStatus = 'eligible' | 'referral' | 'ineligible';

/** A rule engine to compare with: all 50 carriers for one home of a known type. */
export interface Peer {
  readonly name: string;
  /** Number of homes; slow peers take few. */
  readonly homes: number;
  /** Statuses by carrier; with `reasons`, codes and messages of every decline. */
  judge(facts: Facts, reasons: boolean): PeerAnswer | Promise<PeerAnswer>;
}

export interface PeerAnswer {
  readonly statuses: readonly PeerStatus[];
  readonly reasons: readonly (readonly { id: string; code: string; message: string }[])[];
}

/** Worst outcome of the rules that hold. */
export function statusOf(outcomes: Iterable<string>): PeerStatus {
  let status: PeerStatus = 'eligible';
  for (const outcome of outcomes) {
    if (outcome === 'decline') return 'ineligible';
    if (outcome === 'refer') status = 'referral';
  }
  return status;
}
