import { FatalFactError } from '@leeward/engine/compiled';
import type { Fault } from '@leeward/terms';

/** Why a decision cannot be judged again. */
export type ReplayErrorCode =
  /** It is no decision record, or names what the vocabulary does not have. */
  | 'invalid_record'
  /** It is of another line of business. */
  | 'other_line'
  /** Another major version of the engine made it. */
  | 'engine_version'
  /** A rule set or override with its hash is not there. */
  | 'rule_set_missing'
  /** What stands under a hash has another. */
  | 'rule_set_differs'
  /** A rule asks the host for what was not asked then. */
  | 'host_fact_missing';

/** A decision record that cannot be replayed. Carries every fault of its kind. */
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
