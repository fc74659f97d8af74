/** What can go wrong, for a caller to act on. */
export type CoastErrorCode =
  /** A latitude, longitude, radius or count that is not one. */
  | 'invalid_point'
  | 'invalid_option'
  /** A footprint that is no polygon and no disc. */
  | 'invalid_footprint'
  /** The point lies where the data does not reach. */
  | 'outside_coverage'
  /** No such layer in the data, or no shore of it. */
  | 'unknown_layer'
  | 'no_shore'
  /** A file that is cut short, foreign, of another version, or damaged. */
  | 'truncated_file'
  | 'foreign_file'
  | 'unsupported_version'
  | 'corrupt_file'
  /** A shoreline whose numbers contradict each other, or that holds no line. */
  | 'invalid_shoreline'
  | 'too_many_vertices';

/** Thrown by this package wherever it refuses: `code` says why, `message` names the value received and the way out. */
export class CoastError extends Error {
  override readonly name = 'CoastError';
  readonly code: CoastErrorCode;

  constructor(code: CoastErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
