import type { LocatedFinding } from '../located-finding.ts';
import type { Report } from './report.ts';

const levels = { fault: 'error', warning: 'warning', note: 'note' } as const;

/** A report in SARIF 2.1.0 (OASIS), which code hosts show next to the lines of a change. */
export function sarifOf({ command, findings, files }: Report): string {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: `leeward rules ${command}`,
            informationUri: 'https://github.com/leeward/leeward/blob/main/docs/authoring-guide.md',
            rules: codes.map((id) => ({ id, name: id, shortDescription: { text: id.replaceAll('_', ' ') } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        artifacts: files.map((file) => ({ location: locationOf(file) })),
        results: findings.map((finding) => resultOf(finding, codes)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf(finding: LocatedFinding, codes: readonly string[]) {
  const { code, severity, message, file, line, column, path, rule_id, witness: example, allowed } = finding;
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: locationOf(file),
          region: { startLine: line, startColumn: column },
        },
        logicalLocations: [{ fullyQualifiedName: path, ...(rule_id === undefined ? {} : { name: rule_id }) }],
      },
    ],
    // Lines may move; rule and code identify a finding.
    partialFingerprints: { 'leeward/v1': `${code} ${rule_id ?? path}` },
    // Findings that the rule set explains are shown as suppressed.
    ...(allowed === undefined ? {} : { suppressions: [{ kind: 'inSource', justification: allowed }] }),
    ...(example === undefined ? {} : { properties: { witness: example } }),
  };
}

function locationOf(file: string) {
  return { uri: file.split(/[\\/]/).map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}
