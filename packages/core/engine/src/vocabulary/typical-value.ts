import type { Vocabulary } from './vocabulary.ts';

/** By default the first word or the lowest number of the domain. */
export function typicalValue(vocabulary: Vocabulary, name: string, effectiveYear: number): number | string {
  const { domain: domainOf, typical } = vocabulary.fields.find((each) => each.name === name)!;
  const domain = domainOf({ effectiveYear });
  if (domain.kind === 'words') {
    return typeof typical === 'string' && domain.words.includes(typical) ? typical : domain.words[0]!;
  }
  return Math.min(domain.max, Math.max(domain.min, typeof typical === 'number' ? typical : domain.min));
}
