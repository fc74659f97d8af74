/** Something that a reader of a guide does to a file. */
export type FileStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'edit'; readonly name: string; readonly from: string; readonly to: string }
  | { readonly kind: 'copy'; readonly name: string; readonly to: string }
  | { readonly kind: 'insert'; readonly name: string; readonly rule: string; readonly text: string }
  | { readonly kind: 'lines'; readonly name: string; readonly after: string; readonly text: string };

/** Something that a reader of a guide does or sees, in order. */
export type GuideStep = { readonly needsServers: boolean } & (
  | FileStep
  | { readonly kind: 'shell'; readonly text: string; readonly keepsRunning: boolean; readonly endsWith: number }
  | { readonly kind: 'output'; readonly text: string }
);

const pieces =
  /^## (?<heading>[^\n]*)$|^<!-- (?<action>edit|copy): (?<words>.*?) -->$|(?:^<!-- (?:save: (?<name>\S+)|insert: (?<into>\S+) \| after (?:rule (?<rule>\S+)|line (?<line>.+?))|(?<running>keeps running)|ends with (?<code>\d+)) -->\n\n)?^```(?<language>\w+)\n(?<text>.*?)^```$/gms;

/**
 * The steps of a guide. `sh` blocks are commands, and a following `text` block is their output. Comments describe file
 * edits: `save: NAME`, `insert: NAME | after rule ID` and `insert: NAME | after line TEXT` before a block, `edit: NAME | FROM | TO` and `copy: FROM | TO`
 * alone. `keeps running` before a block leaves it running; `ends with CODE` expects a failure. Steps after a heading
 * with PostgreSQL need servers.
 */
export function guideSteps(markdown: string): GuideStep[] {
  const steps: GuideStep[] = [];
  let needsServers = false;
  for (const { groups } of markdown.matchAll(pieces)) {
    const { heading, action, words = '', name, into, rule, line, running, code = '0', language, text = '' } = groups!;
    const [first = '', second = '', third = ''] = words.split(' | ');
    if (heading !== undefined) needsServers = /PostgreSQL|Redis/.test(heading);
    else if (action === 'edit') steps.push({ kind: 'edit', name: first, from: second, to: third, needsServers });
    else if (action === 'copy') steps.push({ kind: 'copy', name: first, to: second, needsServers });
    else if (name !== undefined) steps.push({ kind: 'file', name, text, needsServers });
    else if (into !== undefined && line !== undefined)
      steps.push({ kind: 'lines', name: into, after: line, text, needsServers });
    else if (into !== undefined) steps.push({ kind: 'insert', name: into, rule: rule!, text, needsServers });
    else if (language === 'sh')
      steps.push({ kind: 'shell', text, keepsRunning: running !== undefined, endsWith: Number(code), needsServers });
    else if (language === 'text') steps.push({ kind: 'output', text, needsServers });
  }
  return steps;
}

/** Promised lines that the output lacks. Runs of blanks count as one, and a line of dots matches omitted output. */
export function linesMissing(promised: string, output: string): string[] {
  const plain = (text: string) => text.replaceAll(/[ \t]+/g, ' ').trim();
  const came = plain(output);
  return promised
    .trim()
    .split('\n')
    .filter((line) => line !== '…' && !came.includes(plain(line)));
}
