import type { Examples } from './document-model.ts';
import { escaped, Html, html } from './html.ts';
import { inline } from './prose.ts';

export function curlLines(method: string, path: string, guarded: boolean, body: unknown): string {
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$LEEWARD${path}"`,
    ...(guarded ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${shellQuoted(laidOut(body, '  '))}'`]),
  ];
  return lines.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

/** @param open Unfolds the first example. */
export function exampleBlocks(title: string, examples: Examples | undefined, open = true): Html {
  const blocks = Object.values(examples ?? {}).map(
    (
      { summary, value },
      index,
    ) => html`<details${index === 0 && open && html` open`} class="example"><summary>${title}${
      summary !== undefined && html`: ${inline(summary)}`
    }</summary><pre tabindex="0"><code>${typeof value === 'string' ? value : jsonText(value)}</code></pre></details>
`,
  );
  return html`${blocks}`;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Marks tokens for colour. */
export function jsonText(value: unknown): Html {
  const text = laidOut(value, '');
  let written = '';
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [all, string, colon, word] = match;
    written += escaped(text.slice(end, match.index));
    end = match.index + all.length;
    if (string !== undefined && colon !== undefined) written += `${marked('k', string)}${colon}`;
    else written += marked(string !== undefined ? 's' : word !== undefined ? 'w' : 'n', all);
  }
  return new Html(written + escaped(text.slice(end)));
}

function marked(kind: string, text: string): string {
  return `<i class="${kind}">${escaped(text)}</i>`;
}

const MAX_WIDTH = 64;

/** Short lists and objects stay on one line. */
export function laidOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value) ?? 'null';
  if (typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((each) => laidOut(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${laidOut(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  const short = Array.isArray(value) ? `[${entries.join(', ')}]` : `{ ${entries.join(', ')} }`;
  if (short.length + indent.length <= MAX_WIDTH && !short.includes('\n')) return short;
  return `${open}\n${deeper}${entries.join(`,\n${deeper}`)}\n${indent}${close}`;
}
