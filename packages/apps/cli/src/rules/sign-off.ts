import { resolve } from 'node:path';
import { analyseRuleSet } from '@leeward/authoring';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { asOfOption } from './analyse.ts';
import { coverFile } from './coverage.ts';
import { compareVersions, usable } from './diff.ts';
import { inOrder, locate } from './located-finding.ts';
import { openPoints, signOffPage } from './page/sign-off-page.ts';
import { type Format, printFindings } from './print-findings.ts';
import { writeOutput } from './write-output.ts';
import { exitWith, WrongUse } from './wrong-use.ts';

interface SignOffOptions {
  readonly format: Format;
  readonly out: string;
  readonly base?: string;
  readonly book?: string;
  readonly asOf?: string;
}

/**
 * `rules sign-off`: writes one printable page with everything needed to sign a rule set. Exits with 1 if there are
 * reasons against signing; the page lists them.
 */
export async function signOff(
  path: string,
  options: SignOffOptions,
  terminal: Terminal,
  lines: KnownLines = knownLines,
): Promise<void> {
  const { folder } = terminal;
  if (!/\.html?$/i.test(options.out)) throw new WrongUse(`--out is "${options.out}"; give a name that ends in .html.`);
  if (options.book !== undefined && options.base === undefined)
    throw new WrongUse('--book wants --base, the version before.');
  const askedAt = asOfOption(options.asOf, terminal);
  const file = usable(path, options.format, terminal, lines);
  const { ruleSet, json, name, vocabulary } = file;
  const { coverage, cases } = await coverFile(file, ruleSet, folder, askedAt(ruleSet), lines);
  const { findings, at } = analyseRuleSet(ruleSet, {
    at: askedAt(ruleSet),
    vocabulary,
  });
  const analysis = inOrder(findings.map((finding) => locate(finding, name, json)));
  const older = options.base === undefined ? undefined : usable(options.base, options.format, terminal, lines);
  const compared =
    older && (await compareVersions(older, file, { at: askedAt(ruleSet), book: options.book }, terminal));
  const page = signOffPage({ ruleSet, at, cases, analysis, coverage, compared });
  writeOutput(resolve(folder, options.out), page);
  const open = openPoints({ cases, analysis });
  if (options.format === 'json') {
    printFindings(analysis, 'json', terminal, { written: options.out, sha256: ruleSet.sha256, open_points: open });
  } else {
    const words = open.length === 0 ? 'ready to be signed' : `not ready to be signed: ${open.join('; ')}`;
    terminal.write(`Wrote ${options.out}: ${words}.\n`);
  }
  if (open.length > 0) exitWith(1);
}
