import type { LocatedFinding } from '../located-finding.ts';
import type { Report } from './report.ts';

/** A report as JUnit XML: a suite a file, a test case a finding; a file in which nothing was found is a case that passes. */
export function junitOf({ command, findings, files, fails }: Report): string {
  const named = new Set([...files, ...findings.map(({ file }) => file)]);
  const suites = [...named].map((file) => {
    const fileFindings = findings.filter((each) => each.file === file);
    const failures = fileFindings.filter(fails).length;
    const cases = fileFindings.map((finding) => caseOf(finding, fails(finding)));
    if (cases.length === 0) cases.push(`    <testcase name="nothing found" classname="${xml(file)}"/>\n`);
    const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0"`;
    return `  <testsuite name="${xml(file)}" ${counts}>\n${cases.join('')}  </testsuite>\n`;
  });
  const tests = [...named].reduce(
    (sum, file) => sum + Math.max(1, findings.filter((each) => each.file === file).length),
    0,
  );
  const failures = findings.filter(fails).length;
  const counts = `tests="${tests}" failures="${failures}" errors="0"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="leeward rules ${command}" ${counts}>\n${suites.join('')}</testsuites>\n`;
}

function caseOf(
  { code, file, line, column, path, message, severity, witness: example }: LocatedFinding,
  fails: boolean,
): string {
  const at = `${file}:${line}:${column}`;
  const text = `${at}  ${code}\n${message}${example === undefined ? '' : `\nhome: ${JSON.stringify(example)}`}`;
  const inside = fails
    ? `<failure message="${xml(message)}" type="${xml(code)}">${xml(text)}</failure>`
    : `<system-out>${xml(`${severity}: ${text}`)}</system-out>`;
  const name = `${code} ${path === '' ? '(file)' : path}`;
  return `    <testcase name="${xml(name)}" classname="${xml(file)}" file="${xml(file)}" line="${line}">${inside}</testcase>\n`;
}

function xml(text: string): string {
  return (
    text
      // Characters that XML 1.0 cannot represent, including lone surrogates.
      .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
