/**
 * Reads an XML document into elements. A document type is refused, so there are no entities but the five of XML and character
 * references, and a small document stays small.
 */

/** An element with its place in the document. */
export interface XmlElement {
  /** Name without the prefix. */
  readonly name: string;
  /** URI of the namespace; empty without one. */
  readonly namespace: string;
  /** Values by name, with the prefix if there is one. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text of the element and of its children. */
  readonly text: string;
  readonly place: XmlPlace;
}

/** A place in a document, from 1. */
export interface XmlPlace {
  readonly line: number;
  readonly column: number;
}

/** A document that is not XML, or too large. */
export class XmlError extends Error {
  readonly place: XmlPlace;
  constructor(message: string, place: XmlPlace) {
    super(message);
    this.name = 'XmlError';
    this.place = place;
  }
}

const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 200_000;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const NAME = /[\p{L}_:][\p{L}\p{N}_:.·-]*/uy;
const SPACE = /[ \t\r\n]*/y;

interface OpenElement {
  name: string;
  readonly written: string;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  readonly texts: string[];
  readonly place: XmlPlace;
}

/**
 * Returns the root element.
 *
 * @throws {XmlError} With the line and column of the fault.
 */
export function readXml(document: string): XmlElement {
  return new Reader(document.replace(/^\uFEFF/, '')).read();
}

class Reader {
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  #at = 0;
  #elements = 0;

  constructor(text: string) {
    this.#text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  read(): XmlElement {
    if (this.#text.length > MAX_CHARACTERS) {
      throw new XmlError(`The document is longer than ${MAX_CHARACTERS} characters; divide it.`, {
        line: 1,
        column: 1,
      });
    }
    const open: OpenElement[] = [];
    let root: XmlElement | undefined;
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] !== '<') {
        this.#readText(open.at(-1));
      } else if (this.#text.startsWith('<!--', this.#at)) this.#skipTo('-->', 'comment');
      else if (this.#text.startsWith('<![CDATA[', this.#at)) {
        const start = this.#at + '<![CDATA['.length;
        this.#skipTo(']]>', 'CDATA section');
        if (!open.at(-1)) this.#fail('A CDATA section is outside of the root element.', start);
        open.at(-1)!.texts.push(this.#text.slice(start, this.#at - 3));
      } else if (this.#text.startsWith('<?', this.#at)) this.#skipTo('?>', 'processing instruction');
      else if (this.#text.startsWith('<!', this.#at)) {
        this.#fail('A document type is not accepted, because it can define entities; remove <!DOCTYPE … >.');
      } else if (this.#text.startsWith('</', this.#at)) {
        const element = this.#readEnd(open);
        if (open.length === 0) root = element;
      } else {
        if (root) this.#fail('There is a second root element; a document has one.');
        if (open.length >= MAX_DEPTH) this.#fail(`The elements nest deeper than ${MAX_DEPTH} levels.`);
        const element = this.#readStart(open);
        if (element && open.length === 0) root = element;
      }
    }
    const last = open.at(-1);
    if (last) throw new XmlError(`The element <${last.written}> does not end.`, last.place);
    if (!root) this.#fail('The document has no element.', 0);
    return root!;
  }

  #readText(parent: OpenElement | undefined): void {
    const start = this.#at;
    const end = this.#text.indexOf('<', start);
    this.#at = end < 0 ? this.#text.length : end;
    const text = this.#text.slice(start, this.#at);
    if (parent) parent.texts.push(this.#decode(text, start));
    else if (text.trim() !== '') this.#fail('There is text outside of the root element.', start);
  }

  #readStart(open: OpenElement[]): XmlElement | undefined {
    if (++this.#elements > MAX_ELEMENTS) this.#fail(`The document has more than ${MAX_ELEMENTS} elements; divide it.`);
    const start = this.#at++;
    const written = this.#match(NAME);
    if (written === '') this.#fail('A "<" begins no element; write &lt; in a text.', start);
    const attributes: Record<string, string> = Object.create(null);
    // Inherits, because a copy for each element would let a small document take long.
    const namespaces: Record<string, string> = Object.create(open.at(-1)?.namespaces ?? null);
    for (;;) {
      const space = this.#match(SPACE);
      if (this.#text[this.#at] === '>' || this.#text.startsWith('/>', this.#at)) break;
      const at = this.#at;
      const name = this.#match(NAME);
      if (name === '' || space === '') this.#fail(`The element <${written}> is malformed here.`, at);
      if (name in attributes) this.#fail(`The element <${written}> has the attribute ${name} twice.`, at);
      attributes[name] = this.#readValue(written, name);
      if (name === 'xmlns') namespaces[''] = attributes[name];
      else if (name.startsWith('xmlns:')) namespaces[name.slice('xmlns:'.length)] = attributes[name];
    }
    const element = {
      name: written,
      written,
      namespaces,
      attributes,
      children: [],
      texts: [],
      place: this.#placeOf(start),
    };
    if (this.#text[this.#at] === '>') {
      this.#at++;
      open.push(element);
      return undefined;
    }
    this.#at += '/>'.length;
    return this.#close(element, open.at(-1));
  }

  #readValue(element: string, name: string): string {
    this.#match(SPACE);
    if (this.#text[this.#at] !== '=') this.#fail(`The attribute ${name} of <${element}> has no value.`);
    this.#at++;
    this.#match(SPACE);
    const quote = this.#text[this.#at];
    if (quote !== '"' && quote !== "'") this.#fail(`The value of ${name} of <${element}> is not in quotes.`);
    const start = this.#at + 1;
    const end = this.#text.indexOf(quote!, start);
    const value = end < 0 ? '<' : this.#text.slice(start, end);
    if (value.includes('<')) this.#fail(`The value of ${name} of <${element}> does not end.`);
    this.#at = end + 1;
    return this.#decode(value, start);
  }

  #readEnd(open: OpenElement[]): XmlElement {
    const start = this.#at;
    this.#at += '</'.length;
    const written = this.#match(NAME);
    this.#match(SPACE);
    const element = open.pop();
    if (this.#text[this.#at] !== '>' || element?.written !== written) {
      this.#fail(element ? `</${written}> ends <${element.written}>.` : `</${written}> ends no element.`, start);
    }
    this.#at++;
    return this.#close(element!, open.at(-1));
  }

  #close(
    { written, namespaces, attributes, children, texts, place }: OpenElement,
    parent: OpenElement | undefined,
  ): XmlElement {
    const colon = written.indexOf(':');
    const namespace = namespaces[colon < 0 ? '' : written.slice(0, colon)] ?? '';
    const element = { name: written.slice(colon + 1), namespace, attributes, children, text: texts.join(''), place };
    parent?.children.push(element);
    return element;
  }

  #decode(text: string, start: number): string {
    if (!text.includes('&')) return text.replace(/\r\n?/g, '\n');
    return text
      .replace(/\r\n?/g, '\n')
      .replace(/&([^;&\s]{0,32};)?/g, (written, reference: string | undefined, at: number) => {
        const name = reference?.slice(0, -1) ?? '';
        const code = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
        const point = code ? Number.parseInt(code[1] ?? code[2]!, code[1] ? 16 : 10) : 0;
        const character = code && point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
        const value = Object.hasOwn(entities, name) ? entities[name] : character;
        if (value === undefined) this.#fail(`${written} is not a character of XML; write &amp; for "&".`, start + at);
        return value!;
      });
  }

  #skipTo(end: string, what: string): void {
    const at = this.#text.indexOf(end, this.#at);
    if (at < 0) this.#fail(`This ${what} does not end.`);
    this.#at = at + end.length;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += text.length;
    return text;
  }

  #fail(message: string, at = this.#at): never {
    throw new XmlError(message, this.#placeOf(at));
  }

  #placeOf(at: number): XmlPlace {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#lineStarts[middle]! <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - this.#lineStarts[low]! + 1 };
  }
}
