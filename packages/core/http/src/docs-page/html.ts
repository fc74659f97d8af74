/** Escaped HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a template. */
export type Content = Html | string | number | undefined | false | readonly Content[];

/**
 * Escapes all values except `Html`. Joins lists; `undefined` and `false` write nothing.
 *
 * @example
 * html`<p>${'a < b'}</p>`.text; // '<p>a &lt; b</p>'
 */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${written(contents[index - 1])}${part}`));
}

function written(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(written).join('');
  return escaped(String(content));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for HTML and XML.
 *
 * @example
 * escaped('a < b'); // 'a &lt; b'
 */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
