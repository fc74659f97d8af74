import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';
import { didYouMean } from '@leeward/terms';
import { WrongUse } from './wrong-use.ts';

/** The words of the line that a rule set says it is of; of a line that nobody knows, those of homes, whose check says so. */
export function vocabularyOfLine(line: unknown): Vocabulary {
  return (typeof line === 'string' ? shippedLines.get(line)?.vocabulary : undefined) ?? homeVocabulary;
}

/** The same, as `--line` names it. */
export function vocabularyNamed(line = 'home'): Vocabulary {
  const names = ['home', ...shippedLines.keys()];
  if (names.includes(line)) return vocabularyOfLine(line);
  throw new WrongUse(`--line is "${line}"; there are: ${names.join(', ')}.${didYouMean(line, names)}`);
}
