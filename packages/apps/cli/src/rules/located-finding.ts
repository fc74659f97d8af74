import { type Finding, type WireFinding, writeFinding } from '@leeward/authoring';
import type { JsonText, Position } from '../files/json-text.ts';

/** A finding with its place in a file, as `--format json` prints it. */
export interface LocatedFinding extends WireFinding, Position {
  /** As its user would write it: relative to where the command runs. */
  readonly file: string;
}

export function locate(finding: Finding, file: string, json: JsonText): LocatedFinding {
  // A key that means nothing is wrong by its name, not by its value.
  const of = finding.code === 'unknown_key' ? 'key' : 'value';
  return { ...writeFinding(finding), file, ...json.positionOf(finding.path, of) };
}

export function inOrder(findings: readonly LocatedFinding[]): LocatedFinding[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...findings].sort((a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column);
}
