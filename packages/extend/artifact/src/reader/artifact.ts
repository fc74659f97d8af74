import type { CoastLayer } from '../coast/create-coast-kernel.ts';
import type { ArtifactFile } from '../format/artifact-file.ts';
import type { Manifest } from '../format/manifest.ts';
import type { ArtifactColumns, ColumnNames } from './artifact-columns.ts';
import type { PairReasons } from './pair-reasons.ts';
import type { InputRange, RowFault } from './row-reader.ts';

/** Statuses by code. A row with a fault is `invalid` for all carriers. */
export const artifactStatuses = [
  'not_offered',
  'eligible',
  'referral',
  'needs_information',
  'ineligible',
  'invalid',
] as const;
/** Options of an evaluation. */
export interface EvaluateOptions extends ColumnNames {
  /** Effective date of all rows, `YYYY-MM-DD`. @default the row's `effective_date`, else the date of its `as_of` in its state */
  readonly effectiveDate?: string;
  /** Time of rows without `as_of`. @default now */
  readonly asOf?: Date;
  /** Ranges of inputs by name, for measured distances and what rules compute from lists. @default unknown, or computed from columns */
  readonly ranges?: Readonly<Record<string, InputRange>>;
  /** True returns the reasons of each row and carrier. @default false */
  readonly reasons?: boolean;
}

/** Answers for columns. */
export interface Evaluation {
  readonly rows: number;
  /** By key of the carrier: a code for each row, an index into `artifactStatuses`. */
  readonly statuses: ReadonlyMap<string, Uint8Array>;
  /** Every fault of every row, as over HTTP. */
  readonly faults: readonly RowFault[];
  /** Reasons of rows and carriers that are ineligible, referred or open; empty unless requested. */
  readonly reasons: readonly PairReasons[];
  /** Fields that rules test, for which there is no column. */
  readonly missingColumns: readonly string[];
}

/** The distance from a point to the coast. The true distance is from `min` to `max` in about 95 % of cases. */
export interface CoastDistance {
  readonly meters: number;
  readonly min: number;
  readonly max: number;
  /** Name of the data that drew the shore. */
  readonly source: string;
}

/** Compiled rule sets, ready to evaluate homes. */
export interface Artifact {
  readonly manifest: Manifest;
  /** Lengths in bytes, as in the file, by section. */
  readonly sizes: ArtifactFile['sizes'];
  /**
   * Evaluates homes as columns. A faulty row is `invalid`; it does not fail the others.
   *
   * @throws {ArtifactError} for columns that are missing, misspelled or unequal, and for an effective date outside the artifact.
   * @example
   * const { statuses, faults } = artifact.evaluate({ state: ['tx'], policy_type: ['ho3'], roof_age: [12], roof_type: ['slate'] });
   */
  evaluate(columns: ArtifactColumns, options?: EvaluateOptions): Evaluation;
  /**
   * Measures the distance from a point in degrees to the coast, with the numbers of HTTP. Undefined outside the coverage of its data.
   *
   * @throws {ArtifactError} `no_coast` if the artifact was compiled without one
   * @throws {RangeError} for a point that is not on the globe
   * @example
   * artifact.distanceToCoast(27.95, -82.46, 'ocean')?.min;
   */
  distanceToCoast(latitude: number, longitude: number, layer?: CoastLayer): CoastDistance | undefined;
  /**
   * Evaluates the conformance vectors of the artifact.
   *
   * @throws {ArtifactError} `failed_check` with the first difference.
   * @returns the number of homes and lookups that were compared
   */
  check(): Promise<{ readonly homes: number; readonly lookups: number }>;
}
