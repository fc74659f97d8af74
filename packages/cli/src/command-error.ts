/** Ends a command with a message for its user: no stack, exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
