import { type CheckedRuleSet, checkRuleSet } from '../rule-set/check.ts';
import { type CheckedOverride, checkOverrideAgainst } from '../rule-set/override.ts';
import { type LineSource, readLineModules } from './line-modules.ts';

interface FileToCheck {
  readonly file: unknown;
  readonly line: string;
  /** Modules that export lines, and fields of lines. */
  readonly lineModules: readonly LineSource[];
}

export interface RuleSetToCheck extends FileToCheck {
  readonly fromStranger: boolean;
  readonly hostFacts: readonly string[];
  readonly hostOperators: readonly string[];
}

export interface OverrideToCheck extends FileToCheck {
  /** Rule ids of the carrier. */
  readonly existingIds: readonly string[];
}

/** Task: undefined if no module exports the line. */
export async function checkRuleSetFile(input: RuleSetToCheck): Promise<CheckedRuleSet | undefined> {
  const vocabulary = (await readLineModules(input.lineModules)).get(input.line);
  if (!vocabulary) return undefined;
  const { file, fromStranger, hostFacts, hostOperators } = input;
  const host = { facts: new Set(hostFacts), operators: new Set(hostOperators) };
  return checkRuleSet(file, { vocabulary, fromStranger, host });
}

/** Task: undefined if no module exports the line. */
export async function checkOverrideFile(input: OverrideToCheck): Promise<CheckedOverride | undefined> {
  const vocabulary = (await readLineModules(input.lineModules)).get(input.line);
  return vocabulary && checkOverrideAgainst(input.file, new Set(input.existingIds), vocabulary);
}
