/** The message of a `CoastError` as a sentence. The name of a file or of its data, with which one can begin, is written as it is. */
export function describeRefusal({ message }: Pick<Error, 'message'>): string {
  const [name, ...others] = message.split(': ');
  const hasName = others.length > 0 && (/[./\\]/.test(name!) || !name!.includes(' '));
  return `${hasName ? message : `${message[0]?.toUpperCase()}${message.slice(1)}`}.`;
}
