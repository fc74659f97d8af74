import { requestFieldsOf, type Vocabulary } from '@leeward/engine';
import type { LineWords } from './served-line.ts';

/** A line that is served, and the words that it is asked in. */
export interface DescribedLine {
  readonly words: LineWords;
  readonly vocabulary: Vocabulary;
}

/**
 * Writes what a form asks in each line: its policy types, its fields with what they may be in a year, and an ordinary request.
 * Nothing of it is the caller’s: it stands in the document as well, in the words of schemas.
 */
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
