/** Ends a command with a message for its user and no stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** 1, or 2 where the command could not even begin. */
  readonly exitCode: 1 | 2;

  constructor(message: string, { exitCode = 1 }: { readonly exitCode?: 1 | 2 } = {}) {
    super(message);
    this.exitCode = exitCode;
  }
}
