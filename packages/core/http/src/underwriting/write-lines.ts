import type { Vocabulary } from '@leeward/engine';
import { requestFieldsOf } from '@leeward/engine/vocabulary';
import type { LineWords } from './served-line.ts';

/** A mounted line and its names. */
export interface DescribedLine {
  readonly words: LineWords;
  readonly vocabulary: Vocabulary;
}

/** The form of each line: policy types, fields with their ranges in a year, and an ordinary request. The document has the same as schemas. */
export function writeLines(lines: readonly DescribedLine[], effectiveYear: number): object {
  return {
    lines: lines.map(({ words, vocabulary }) => ({
      line: words.segment,
      title: words.title,
      noun: words.noun,
      policy_types: vocabulary.policyTypes,
      fields: requestFieldsOf(vocabulary, { effectiveYear }),
      example: Object.values(words.requestExamples ?? {})[0]?.value,
    })),
  };
}
