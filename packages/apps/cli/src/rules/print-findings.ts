import { createColors } from 'picocolors';
import { wrapLines } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import type { LocatedFinding } from './located-finding.ts';
import type { ReportFormat } from './report/format.ts';

export type Format = 'text' | 'json';

/** Prints findings in the format of `--format`. `extra` are further keys of the JSON object. */
export function printFindings(
  findings: readonly LocatedFinding[],
  format: ReportFormat,
  terminal: Terminal,
  extra: Readonly<Record<string, unknown>> = {},
): void {
  if (format === 'json') terminal.write(`${JSON.stringify({ findings, ...extra }, null, 2)}\n`);
  else terminal.write(findingsAsText(findings, terminal));
}

function findingsAsText(findings: readonly LocatedFinding[], terminal: Terminal): string {
  const colors = createColors(terminal.inColor);
  const paint = { fault: colors.red, warning: colors.yellow, note: colors.cyan };
  let text = '';
  for (const {
    severity,
    file,
    line,
    column,
    path,
    code,
    message,
    witness: example,
    counterexample,
    allowed,
  } of findings) {
    const where = colors.bold(`${file}:${line}:${column}`);
    text += `${where}  ${paint[severity](code)}${path === '' ? '' : `  ${colors.dim(path)}`}\n${wrapLines(`  ${message}`, terminal)}\n`;
    if (allowed !== undefined) text += `  ${colors.dim(`allowed: ${allowed}`)}\n`;
    if (example) text += `  ${colors.dim(`home: ${JSON.stringify(example)}`)}\n`;
    if (counterexample) text += `  ${colors.dim(`other answer: ${JSON.stringify(counterexample)}`)}\n`;
  }
  return text;
}

export function count(number: number, thing: string, things = `${thing}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? thing : things}`;
}
