import { factIndex, unitOf } from '../vocabulary/fact-index.ts';
import { labelOfReference } from '../vocabulary/labels.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

export interface UnknownWords {
  /** Number of characters after the braces that the words replace. */
  readonly words: string;
  readonly replaced: number;
}

const distances = ['feet', 'meters', 'miles'];

/**
 * Words for an unknown fact, by the text around its braces: `Roof of {roof_age} years` becomes `Roof of unknown age`, `{total_claims}
 * claims` becomes `An unknown number of claims`.
 */
export function describeUnknown(name: string, before: string, after: string, vocabulary: Vocabulary): UnknownWords {
  const { words, replaced } = wordsOf(name, before, after, vocabulary);
  const isFirst = /(?:^|[.!?] )$/.test(before);
  return { words: isFirst ? `${words[0]!.toUpperCase()}${words.slice(1)}` : words, replaced };
}

function wordsOf(name: string, before: string, after: string, vocabulary: Vocabulary): UnknownWords {
  const reference = factIndex(vocabulary).find(name);
  const unit = reference && unitOf(reference);
  const label = labelOfReference(reference) ?? '';
  // After a colon, a comma, an opening bracket or its unit, the value is a separate phrase.
  const isAlone =
    (/[:,(] ?$/.test(before) || before.toLowerCase().endsWith(`${unit} `)) && /^(?:$|[),.;:])/.test(after);
  const word = /^ (?!(?:is|are|was|were|has|may|must|and|or|of|to|in|from|for)\b)[a-z][a-z-]*/.exec(after)?.[0] ?? '';
  if (name === 'county' || name === 'state') return { words: `an unknown ${name}`, replaced: 0 };
  if (isAlone || unit === undefined) return { words: 'unknown', replaced: 0 };
  if (/\bage\b/.test(label)) {
    const [all = '', noun] =
      /^-year-old ([a-z]+)/.exec(after) ?? /^ years? old\b/.exec(after) ?? /^ years?\b/.exec(after) ?? [];
    if (noun !== undefined) return { words: `${noun} of unknown age`, replaced: all.length };
    return { words: /\bof $/i.test(before) ? 'unknown age' : 'of unknown age', replaced: all.length };
  }
  if (unit === 'year') return { words: 'an unknown year', replaced: 0 };
  if (unit === 'dollars') return { words: 'an unknown amount', replaced: word === ' dollars' ? word.length : 0 };
  if (word === ' percent') return { words: 'an unknown percentage', replaced: word.length };
  if (distances.some((each) => word === ` ${each}`)) return { words: 'an unknown distance', replaced: word.length };
  return { words: word === '' ? 'an unknown number' : 'an unknown number of', replaced: 0 };
}
