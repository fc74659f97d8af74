/** Something that a reader of a guide does or sees, in order. */
export type GuideStep = { readonly needsServers: boolean } & (
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'shell'; readonly text: string; readonly keepsRunning: boolean }
  | { readonly kind: 'output'; readonly text: string }
);

/**
 * The steps of a guide: `sh` blocks are typed, `text` blocks behind one show what comes out, and a block under `<!-- save: NAME -->` is saved as
 * that file. What stands over a block as `<!-- keeps running -->` is left running. From a heading that names PostgreSQL on, servers are needed.
 */
export function guideSteps(markdown: string): GuideStep[] {
  const steps: GuideStep[] = [];
  let needsServers = false;
  const pieces =
    /^## (?<heading>[^\n]*)$|(?:^<!-- (?:save: (?<name>\S+)|(?<running>keeps running)) -->\n\n)?^```(?<language>\w+)\n(?<text>.*?)^```$/gms;
  for (const { groups } of markdown.matchAll(pieces)) {
    const { heading, name, running, language, text = '' } = groups!;
    if (heading !== undefined) needsServers = /PostgreSQL|Redis/.test(heading);
    else if (name !== undefined) steps.push({ kind: 'file', name, text, needsServers });
    else if (language === 'sh') steps.push({ kind: 'shell', text, keepsRunning: running !== undefined, needsServers });
    else if (language === 'text') steps.push({ kind: 'output', text, needsServers });
  }
  return steps;
}

/** Lines that are shown and did not come out; runs of blanks are one. */
export function linesMissing(shown: string, output: string): string[] {
  const plain = (text: string) => text.replaceAll(/[ \t]+/g, ' ').trim();
  const came = plain(output);
  return shown
    .trim()
    .split('\n')
    .filter((line) => !came.includes(plain(line)));
}
