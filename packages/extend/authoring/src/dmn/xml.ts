/** An element of an XML document: attributes in the order given, and either children or a text. */
export interface Element {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content?: readonly Element[] | string;
}

/** Writes a document, the same bytes for the same elements. */
export function writeXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, '')}`;
}

function writeElement({ name, attributes = {}, content = [] }: Element, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const start = `${indent}<${name}${written.join('')}`;
  if (content.length === 0) return `${start}/>\n`;
  if (typeof content === 'string') return `${start}>${escapeXml(content)}</${name}>\n`;
  const children = content.map((each) => writeElement(each, `${indent}  `)).join('');
  return `${start}>\n${children}${indent}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Characters that XML does not allow become U+FFFD. */
function escapeXml(text: string): string {
  return (
    text
      .replace(/[&<>"\t\n\r]/g, (each) => entities[each]!)
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML excludes these characters.
      .replace(/[\u0000-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
