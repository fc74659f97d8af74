import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printRuleSet, startingRuleSet } from '@leeward/authoring';
import type { KnownLines } from '../lines/known-lines.ts';
import { makeFolder } from '../make-folder.ts';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';
import { type Format, printFindings } from './print-findings.ts';
import { type CarrierWords, ownLine, startOptions } from './start-options.ts';
import { WrongUse } from './wrong-use.ts';

/** `rules new`: a commented starting set with cases, in a folder; it overwrites nothing. */
export function startNew(
  folder: string,
  options: CarrierWords & { readonly format: Format },
  terminal: Terminal,
  lines: KnownLines,
): void {
  const { ruleSet, cases } = startingRuleSet(startOptions(options, terminal, lines));
  const path = resolve(terminal.folder, folder);
  const files = [
    [join(path, 'rule-set.json'), printRuleSet(ruleSet)],
    [join(path, 'cases.json'), printRuleSet(cases)],
  ] as const;
  const existing = files.find(([file]) => existsSync(file));
  if (existing) throw new WrongUse(`${nearPath(existing[0], terminal.folder)} exists already; nothing was written.`);
  makeFolder(path, 'name another one');
  for (const [file, text] of files) writeFileSync(file, text);
  const names = files.map(([file]) => nearPath(file, terminal.folder));
  if (options.format === 'json') printFindings([], 'json', terminal, { written: names });
  else terminal.write(`Wrote ${names.join(' and ')}. Next: leeward rules check ${folder}${ownLine(lines, terminal)}\n`);
}
