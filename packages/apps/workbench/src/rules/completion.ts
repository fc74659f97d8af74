import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { hoverTooltip } from '@codemirror/view';
import type { Vocabulary, Word } from './rules-messages.ts';

/** A key with words of the vocabulary, and the typed part of one. */
const VALUE = /"(fact|operator|outcome|code)"\s*:\s*"([\w:.]*)$/;
const WHOLE = /"(fact|operator|outcome|code)"\s*:\s*"([\w:.]*)"/g;

/** Completes facts, operators, outcomes and codes. */
export const completeWords =
  (vocabulary: () => Vocabulary | undefined) =>
  ({ state, pos }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos);
    const match = VALUE.exec(line.text.slice(0, pos - line.from));
    const words = match && vocabulary()?.words[match[1] as keyof Vocabulary['words']];
    if (!match || !words) return null;
    return {
      from: pos - match[2]!.length,
      options: words.map(({ name, meaning }) => ({ label: name, detail: meaning.slice(0, 80) })),
      validFor: /^[\w:.]*$/,
    };
  };

export const hoverWords = (vocabulary: () => Vocabulary | undefined) =>
  hoverTooltip((view, pos) => {
    const line = view.state.doc.lineAt(pos);
    for (const match of line.text.matchAll(WHOLE)) {
      const from = line.from + match.index;
      const to = from + match[0].length;
      if (pos < from || pos > to) continue;
      const word: Word | undefined = vocabulary()?.words[match[1] as keyof Vocabulary['words']].find(
        ({ name }) => name === match[2],
      );
      if (!word?.meaning) return null;
      return {
        pos: from,
        end: to,
        create() {
          const dom = document.createElement('p');
          dom.textContent = `${word.name}: ${word.meaning}`;
          dom.style.maxWidth = '28rem';
          dom.style.margin = '0';
          dom.style.padding = '0.5rem';
          return { dom };
        },
      };
    }
    return null;
  });
