import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DmnExport, toDmn } from '@leeward/authoring';
import type { KnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { usable } from './diff.ts';
import { count } from './print-findings.ts';
import { writeOutput } from './write-output.ts';
import { WrongUse } from './wrong-use.ts';

/** `rules export --format dmn`: writes a rule set as DMN 1.4 decision tables, and lists what is not in them. */
export function exportDmn(path: string, out: string, terminal: Terminal, lines: KnownLines): void {
  const target = resolve(terminal.folder, out);
  if (!/\.dmn$/i.test(target)) throw new WrongUse(`--out is "${out}"; give a name that ends in .dmn.`);
  if (existsSync(target)) throw new WrongUse(`${out} exists already; nothing was written.`);
  const { ruleSet, vocabulary } = usable(path, 'text', terminal, lines);
  const { xml, omitted } = toDmn(ruleSet, vocabulary);
  writeOutput(target, xml);
  const rows = xml.match(/<rule id=/g)?.length ?? 0;
  terminal.write([`Wrote ${out}: ${count(rows, 'row')}.`, ...omittedLines(omitted), ''].join('\n'));
}

function omittedLines({ moratoria, rules, terms, contradictions, tiers }: DmnExport['omitted']): string[] {
  const line = (label: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`Not in the tables: ${label} ${values.join(', ')}.`];
  return [
    'Not in the tables: the effective dates.',
    ...line('the moratoria', moratoria),
    ...rules.map(({ id, reason }) => `Not in the tables: the rule ${id}. ${reason}`),
    ...line('the terms of', terms),
    ...line(
      'referrals for contradicting terms of',
      contradictions.map(({ offers }) => offers.join(' and ')),
    ),
    ...(tiers.length === 0
      ? []
      : [`Evaluate the tables once for each tier, given as "tier", and take the best status: ${tiers.join(', ')}.`]),
  ];
}
