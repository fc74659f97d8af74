/** The bytes of a file contradict its metadata or its format. The message completes "it is damaged: …". */
export class DamageError extends RangeError {}

/**
 * Why bytes could not be read, about the file. A library that stumbles over damaged bytes fails with a message about its code, such as
 * "Cannot read properties of undefined".
 */
export function damageOf(error: unknown): string {
  const isAboutFile = error instanceof DamageError || (error instanceof Error && error.constructor === Error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'packed bytes are more than they declare';
  if (isAboutFile) return error.message.replace(/\.+$/, '');
  return 'its bytes do not have the form that its metadata describes';
}
