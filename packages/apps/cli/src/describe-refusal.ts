/** The message of a `CoastError` as a sentence. Keeps the case of a leading file or dataset name. */
export function describeRefusal({ message }: Pick<Error, 'message'>): string {
  const [name, ...others] = message.split(': ');
  const hasName = others.length > 0 && (/[./\\]/.test(name!) || !name!.includes(' '));
  return `${hasName ? message : `${message[0]?.toUpperCase()}${message.slice(1)}`}.`;
}
