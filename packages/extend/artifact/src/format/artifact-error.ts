/** Why an artifact or its columns cannot be used. */
export type ArtifactFaultCode =
  | 'not_an_artifact'
  | 'damaged_artifact'
  | 'altered_artifact'
  | 'newer_artifact'
  | 'dates_not_covered'
  | 'no_coast'
  | 'not_compiled'
  | 'missing_column'
  | 'unknown_column'
  | 'unequal_columns'
  | 'failed_check';

/**
 * An artifact, or columns for it, cannot be used. The message names the fault and the way out.
 * @example
 * if (error instanceof ArtifactError && error.code === 'newer_artifact') console.error('Update @leeward/artifact.');
 */
export class ArtifactError extends Error {
  override readonly name = 'ArtifactError';
  readonly code: ArtifactFaultCode;

  constructor(code: ArtifactFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
