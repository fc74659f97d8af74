import type { Examples } from './document-model.ts';
import { type Html, html } from './html.ts';
import { jsonText, laidOut } from './json-text.ts';
import { inline } from './prose.ts';

/** A request as a `curl` command. */
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

/** @param open true if the first example is unfolded */
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
