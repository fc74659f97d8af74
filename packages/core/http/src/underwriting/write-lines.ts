import type { Vocabulary } from '@leeward/engine';
import { requestFieldsOf } from '@leeward/engine/vocabulary';
import type { LineWords } from './served-line.ts';

export interface DescribedLine {
  readonly words: LineWords;
  readonly vocabulary: Vocabulary;
  /** Request names of the fields that rules of the catalog test. */
  readonly testedFields: readonly string[];
}

/** Policy types, fields with ranges, and an ordinary request per line. A field on demand is marked unless a rule tests it. */
export function writeLines(lines: readonly DescribedLine[], effectiveYear: number): object {
  return {
    lines: lines.map(({ words, vocabulary, testedFields }) => ({
      line: words.segment,
      title: words.title,
      noun: words.noun,
      policy_types: vocabulary.policyTypes,
      fields: requestFieldsOf(vocabulary, { effectiveYear }).map(({ on_demand: isOnDemand, ...field }) =>
        isOnDemand && !testedFields.includes(field.name) ? { ...field, on_demand: true } : field,
      ),
      example: Object.values(words.requestExamples ?? {})[0]?.value,
    })),
  };
}
