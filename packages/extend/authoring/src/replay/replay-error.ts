import { FatalFactError } from '@leeward/engine/compiled';
import type { Fault } from '@leeward/terms';

/** The reason why a decision cannot be replayed. */
export type ReplayErrorCode =
  /** The record is invalid, or the vocabulary lacks a field or value of it. */
  | 'invalid_record'
  | 'other_line'
  /** Another major version of the engine made the decision. */
  | 'engine_version'
  /** A rule set or override with a recorded hash is missing. */
  | 'rule_set_missing'
  /** A stored file has another hash than the recorded one. */
  | 'rule_set_differs'
  /** A rule uses a host fact that the recorded decision did not use. */
  | 'host_fact_missing';

/** A decision record cannot be replayed. Has all faults of its kind. */
export class ReplayError extends FatalFactError {
  override readonly name = 'ReplayError';
  readonly code: ReplayErrorCode;
  readonly faults: readonly Fault[];

  constructor(code: ReplayErrorCode, faults: readonly Omit<Fault, 'code'>[]) {
    super(faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'));
    this.code = code;
    this.faults = faults.map((fault) => ({ ...fault, code }));
  }
}
