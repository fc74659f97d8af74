import { type CheckedRuleSet, checkRuleSet } from '../rule-set/check.ts';
import { type CheckedOverride, checkOverrideAgainst } from '../rule-set/override.ts';
import { readLineModules } from './line-modules.ts';

/** A file to check, and the name of its line. */
interface FileToCheck {
  readonly file: unknown;
  readonly line: string;
  /** URLs of modules that export lines. */
  readonly lineModules: readonly string[];
}

/** Input of the task `checkRuleSetFile`. */
export interface RuleSetToCheck extends FileToCheck {
  readonly fromStranger: boolean;
  readonly hostFacts: readonly string[];
  readonly hostOperators: readonly string[];
}

/** Input of the task `checkOverrideFile`. */
export interface OverrideToCheck extends FileToCheck {
  /** Rule ids of the carrier. */
  readonly existingIds: readonly string[];
}

/** Checks a rule set; undefined if no module exports the line. */
export async function checkRuleSetFile(input: RuleSetToCheck): Promise<CheckedRuleSet | undefined> {
  const vocabulary = (await readLineModules(input.lineModules)).get(input.line);
  if (!vocabulary) return undefined;
  const { file, fromStranger, hostFacts, hostOperators } = input;
  const host = { facts: new Set(hostFacts), operators: new Set(hostOperators) };
  return checkRuleSet(file, { vocabulary, fromStranger, host });
}

/** Checks an override; undefined if no module exports the line. */
export async function checkOverrideFile(input: OverrideToCheck): Promise<CheckedOverride | undefined> {
  const vocabulary = (await readLineModules(input.lineModules)).get(input.line);
  return vocabulary && checkOverrideAgainst(input.file, new Set(input.existingIds), vocabulary);
}
