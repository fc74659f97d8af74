import { writeDataset } from '@leeward/terms/words';

/** The message of a `CoastError` as a sentence, with shipped shorelines in words. Keeps the case of a leading file or dataset name. */
export function describeRefusal({ message }: Pick<Error, 'message'>): string {
  const [name, ...others] = message.split(': ');
  const hasName = others.length > 0 && (/[./\\]/.test(name!) || !name!.includes(' '));
  const text = message.replaceAll(
    /\b((?:osm|gshhg|noaa)-us) (\d\S*)(?: \([^)]*\))?/g,
    (_, dataset: string, version: string) => `the ${writeDataset({ name: dataset, version })}`,
  );
  return `${hasName ? text : `${text[0]?.toUpperCase()}${text.slice(1)}`}.`;
}
