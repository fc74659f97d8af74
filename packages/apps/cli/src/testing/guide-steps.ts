/** Something that a reader of a guide does to a file. */
export type FileStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'edit'; readonly name: string; readonly from: string; readonly to: string }
  | { readonly kind: 'copy'; readonly name: string; readonly to: string }
  | { readonly kind: 'insert'; readonly name: string; readonly rule: string; readonly text: string };

/** Something that a reader of a guide does or sees, in order. */
export type GuideStep = { readonly needsServers: boolean } & (
  | FileStep
  | { readonly kind: 'shell'; readonly text: string; readonly keepsRunning: boolean; readonly endsWith: number }
  | { readonly kind: 'output'; readonly text: string }
);

const pieces =
  /^## (?<heading>[^\n]*)$|^<!-- (?<action>edit|copy): (?<words>.*?) -->$|(?:^<!-- (?:save: (?<name>\S+)|insert: (?<into>\S+) \| after rule (?<rule>\S+)|(?<running>keeps running)|ends with (?<code>\d+)) -->\n\n)?^```(?<language>\w+)\n(?<text>.*?)^```$/gms;

/**
 * The steps of a guide: `sh` blocks are typed, and `text` blocks behind one show what comes out. What prose asks of files stands beside it in
 * comments: `save: NAME` and `insert: NAME | after rule ID` over a block, `edit: NAME | FROM | TO` and `copy: FROM | TO` alone. What stands over
 * a block as `keeps running` is left running, and `ends with CODE` says that it fails. From a heading that names PostgreSQL on, servers are needed.
 */
export function guideSteps(markdown: string): GuideStep[] {
  const steps: GuideStep[] = [];
  let needsServers = false;
  for (const { groups } of markdown.matchAll(pieces)) {
    const { heading, action, words = '', name, into, rule, running, code = '0', language, text = '' } = groups!;
    const [first = '', second = '', third = ''] = words.split(' | ');
    if (heading !== undefined) needsServers = /PostgreSQL|Redis/.test(heading);
    else if (action === 'edit') steps.push({ kind: 'edit', name: first, from: second, to: third, needsServers });
    else if (action === 'copy') steps.push({ kind: 'copy', name: first, to: second, needsServers });
    else if (name !== undefined) steps.push({ kind: 'file', name, text, needsServers });
    else if (into !== undefined) steps.push({ kind: 'insert', name: into, rule: rule!, text, needsServers });
    else if (language === 'sh')
      steps.push({ kind: 'shell', text, keepsRunning: running !== undefined, endsWith: Number(code), needsServers });
    else if (language === 'text') steps.push({ kind: 'output', text, needsServers });
  }
  return steps;
}

/** Lines that are shown and did not come out; runs of blanks are one, and a line of dots stands for what the guide leaves out. */
export function linesMissing(shown: string, output: string): string[] {
  const plain = (text: string) => text.replaceAll(/[ \t]+/g, ' ').trim();
  const came = plain(output);
  return shown
    .trim()
    .split('\n')
    .filter((line) => line !== '…' && !came.includes(plain(line)));
}
