import type { Terminal } from '../../terminal.ts';
import type { ReportFormat } from './format.ts';
import { junitOf } from './junit.ts';
import { markdownOf } from './markdown.ts';
import type { Report } from './report.ts';
import { sarifOf } from './sarif.ts';

const writers: Readonly<Partial<Record<ReportFormat, (report: Report) => string>>> = {
  markdown: markdownOf,
  junit: junitOf,
  sarif: sarifOf,
};

/** Prints a report for a pull request or a build; false for the formats that a command prints itself. */
export function printReport(report: Report, format: ReportFormat, terminal: Terminal): boolean {
  const write = writers[format];
  if (write) terminal.write(write(report));
  return write !== undefined;
}
