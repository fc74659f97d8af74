/** The message of a `CoastError` as a sentence. A leading file or dataset name keeps its case. */
export function describeRefusal({ message }: Pick<Error, 'message'>): string {
  const [name, ...others] = message.split(': ');
  const hasName = others.length > 0 && (/[./\\]/.test(name!) || !name!.includes(' '));
  return `${hasName ? message : `${message[0]?.toUpperCase()}${message.slice(1)}`}.`;
}
