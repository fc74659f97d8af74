/**
 * Templates of letters: a part of Mustache without logic, lambdas or partials, so that a template cannot run code.
 *
 * `{{name}}` writes a value. `{{#name}}…{{/name}}` is written for each item of a list, or once if the value is not empty;
 * `{{^name}}…{{/name}}` if it is empty. A tag of a section alone on its line writes no line. Names are checked when a template is
 * read.
 */
import { didYouMean } from '@leeward/terms';

/** Names and the names inside them: `text` for a value, an object for a list. */
export interface TemplateNames {
  readonly [name: string]: 'text' | TemplateNames;
}

/** Values by name. */
export interface TemplateValues {
  readonly [name: string]: string | readonly TemplateValues[];
}

/** Writes a letter. */
export type Template = (values: TemplateValues) => string;

/** A template that cannot be used, with the line of its fault. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(`Line ${line} of the template: ${message}`);
    this.line = line;
  }
}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'section'; readonly name: string; readonly isInverted: boolean; readonly children: Node[] };

interface OpenSection {
  readonly name: string;
  readonly line: number;
  readonly children: Node[];
  /** Names inside, before those outside. */
  readonly names: TemplateNames;
}

const MAX_TEMPLATE_LENGTH = 65_536;
const MAX_DEPTH = 8;
/** Nested lists can multiply. */
const MAX_LETTER_LENGTH = 262_144;

/**
 * Reads a template.
 *
 * @param escapeValue for values
 * @throws {TemplateError}
 */
export function readTemplate(source: string, names: TemplateNames, escapeValue: (text: string) => string): Template {
  if (source.length > MAX_TEMPLATE_LENGTH)
    throw new TemplateError(1, `it has ${source.length} characters; ${MAX_TEMPLATE_LENGTH} are allowed.`);
  const nodes = parse(source.replaceAll('\r\n', '\n'), names);
  return (values) => {
    const parts: string[] = [];
    const length = write(nodes, [values], escapeValue, parts, 0);
    if (length > MAX_LETTER_LENGTH)
      throw new TemplateError(1, `the letter is longer than ${MAX_LETTER_LENGTH} characters; remove nested sections.`);
    return parts.join('');
  };
}

/** Sections alone on a line take the line with them. */
const TAG = /(?:(?<=^|\n)[ \t]*\{\{([#^/])\s*([\w.-]+)\s*\}\}[ \t]*(?:\n|$))|\{\{([#^/]?)\s*([^{}]*?)\s*\}\}/g;

function parse(source: string, names: TemplateNames): Node[] {
  const braces = source.indexOf('{{{');
  if (braces >= 0)
    throw new TemplateError(source.slice(0, braces).split('\n').length, 'write {{name}}; every value is escaped.');
  const root: OpenSection = { name: '', line: 1, children: [], names };
  const open = [root];
  let end = 0;
  for (const match of source.matchAll(TAG)) {
    const [whole, soleSign, soleName, inlineSign, inlineName] = match;
    const line = source.slice(0, match.index).split('\n').length;
    const section = open.at(-1)!;
    if (match.index > end) section.children.push({ kind: 'text', text: source.slice(end, match.index) });
    end = match.index + whole.length;
    const [sign, name] = [soleSign ?? inlineSign ?? '', soleName ?? inlineName ?? ''];
    if (sign === '/') {
      if (open.length === 1 || section.name !== name)
        throw new TemplateError(
          line,
          `{{/${name}}} closes no section; ${open.length === 1 ? 'none is open' : `{{#${section.name}}} is open`}.`,
        );
      open.pop();
      continue;
    }
    const kind = kindOf(name, section.names, line);
    if (sign === '') {
      if (kind !== 'text') throw new TemplateError(line, `"${name}" is a list: write {{#${name}}}…{{/${name}}}.`);
      section.children.push({ kind: 'value', name });
      continue;
    }
    if (open.length > MAX_DEPTH) throw new TemplateError(line, `sections are nested deeper than ${MAX_DEPTH}.`);
    const children: Node[] = [];
    section.children.push({ kind: 'section', name, isInverted: sign === '^', children });
    const inside = kind === 'text' || sign === '^' ? section.names : { ...section.names, ...kind };
    open.push({ name, line, children, names: inside });
  }
  const last = open.at(-1)!;
  if (last !== root) throw new TemplateError(last.line, `{{#${last.name}}} is not closed: add {{/${last.name}}}.`);
  if (end < source.length) root.children.push({ kind: 'text', text: source.slice(end) });
  return root.children;
}

function kindOf(name: string, names: TemplateNames, line: number): 'text' | TemplateNames {
  if (Object.hasOwn(names, name)) return names[name]!;
  const all = Object.keys(names);
  throw new TemplateError(
    line,
    `"${name.slice(0, 60)}" is not a name here.${didYouMean(name, all)} The names are ${all.join(', ')}.`,
  );
}

/** @returns the length so far; stops beyond the limit */
function write(
  nodes: readonly Node[],
  scopes: readonly TemplateValues[],
  escapeValue: (text: string) => string,
  parts: string[],
  length: number,
): number {
  let total = length;
  for (const node of nodes) {
    if (total > MAX_LETTER_LENGTH) return total;
    if (node.kind !== 'section') {
      const text = node.kind === 'text' ? node.text : escapeValue(textOf(lookUp(node.name, scopes)));
      parts.push(text);
      total += text.length;
      continue;
    }
    const value = lookUp(node.name, scopes);
    const isEmpty = value.length === 0;
    if (node.isInverted) {
      if (isEmpty) total = write(node.children, scopes, escapeValue, parts, total);
    } else if (typeof value === 'string') {
      if (!isEmpty) total = write(node.children, scopes, escapeValue, parts, total);
    } else {
      for (const item of value) total = write(node.children, [item, ...scopes], escapeValue, parts, total);
    }
  }
  return total;
}

function lookUp(name: string, scopes: readonly TemplateValues[]): string | readonly TemplateValues[] {
  return scopes.find((each) => Object.hasOwn(each, name))?.[name] ?? '';
}

function textOf(value: string | readonly TemplateValues[]): string {
  return typeof value === 'string' ? value : '';
}
