import { escaped, type Html, html, Html as Written } from './html.ts';

/** Descriptions as the document writes them: paragraphs, `code` and **strong**; everything else is text. */
export function prose(text: string | undefined): Html | undefined {
  if (text === undefined || text === '') return undefined;
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

/** The same within a line. */
export function inline(text: string): Html {
  // Split by code first: what stands in it is no markup.
  const pieces = text.split(/`([^`]+)`/);
  const written = pieces.map((piece, index) =>
    index % 2 === 1
      ? `<code>${escaped(piece)}</code>`
      : escaped(piece).replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  );
  return new Written(written.join(''));
}
