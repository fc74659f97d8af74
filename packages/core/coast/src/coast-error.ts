/** Codes of `CoastError`. */
export type CoastErrorCode =
  /** A latitude, longitude, radius or count that is out of range. */
  | 'invalid_point'
  | 'invalid_option'
  /** A footprint that is neither a polygon nor a disc. */
  | 'invalid_footprint'
  /** The point is outside the data. */
  | 'outside_coverage'
  /** The layer is missing, or it is empty. */
  | 'unknown_layer'
  | 'no_shore'
  /** A file that is cut short, foreign, of another version, or damaged. */
  | 'truncated_file'
  | 'foreign_file'
  | 'unsupported_version'
  | 'corrupt_file'
  /** A shoreline with contradictory numbers or without lines. */
  | 'invalid_shoreline'
  | 'too_many_vertices';

/** Thrown by this package. The message names the value received and how to fix it. */
export class CoastError extends Error {
  override readonly name = 'CoastError';
  readonly code: CoastErrorCode;

  constructor(code: CoastErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
