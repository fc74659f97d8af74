/** Ends a command with a message for its user, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** 1 for a failure, 2 for wrong use, 3 for a certificate of another key. */
  readonly exitCode: 1 | 2 | 3;

  constructor(message: string, { exitCode = 1 }: { readonly exitCode?: 1 | 2 | 3 } = {}) {
    super(message);
    this.exitCode = exitCode;
  }
}
