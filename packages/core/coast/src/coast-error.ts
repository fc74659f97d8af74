/** Codes of `CoastError`. */
export type CoastErrorCode =
  /** Latitude, longitude, radius or count out of range. */
  | 'invalid_point'
  | 'invalid_option'
  /** Neither a polygon nor a disc. */
  | 'invalid_footprint'
  /** Outside the data. */
  | 'outside_coverage'
  /** Missing or empty. */
  | 'unknown_layer'
  | 'no_shore'
  /** Cut short, foreign, of another version, or damaged. */
  | 'truncated_file'
  | 'foreign_file'
  | 'unsupported_version'
  | 'corrupt_file'
  /** The files come from different releases. */
  | 'mismatched_files'
  /** Contradictory numbers or no lines. */
  | 'invalid_shoreline'
  | 'invalid_conflation'
  | 'too_many_vertices';

/** The message names the value received and how to fix it. */
export class CoastError extends Error {
  override readonly name = 'CoastError';
  readonly code: CoastErrorCode;

  constructor(code: CoastErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
