import { escaped, type Html, html, Html as Written } from './html.ts';

/** Paragraphs, `code` and **strong**; anything else is plain text. */
export function prose(text: string | undefined): Html | undefined {
  if (text === undefined || text === '') return undefined;
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

/** Like `prose`, within one paragraph. */
export function inline(text: string): Html {
  // Asterisks in code are not markup.
  const pieces = text.split(/`([^`]+)`/);
  const written = pieces.map((piece, index) =>
    index % 2 === 1
      ? `<code>${escaped(piece)}</code>`
      : escaped(piece).replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );
  return new Written(written.join(''));
}
