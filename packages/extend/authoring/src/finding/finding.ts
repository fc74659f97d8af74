/** How much a finding weighs: a fault must be mended, a warning looked at, a note merely known. */
export type Severity = 'fault' | 'warning' | 'note';

/** A home as a request has it. */
export type WitnessHome = Readonly<Record<string, unknown>>;

/** One thing found in a rule set or its cases, at a place in the file. */
export interface Finding {
  readonly code: string;
  /** JSON Pointer into the file; `""` for the whole. */
  readonly path: string;
  readonly message: string;
  readonly severity: Severity;
  /** The rule that is spoken of, by `id`. */
  readonly ruleId?: string;
  /** Other rules that take part. */
  readonly otherRuleIds?: readonly string[];
  readonly policyTypes?: readonly string[];
  /** A home that shows it, judged by the engine before it was named. */
  readonly witness?: WitnessHome;
  /** Why the author of the rules lets it stand, in the words of the file's `allow`. */
  readonly allowed?: string;
}

/** A finding as `--format json` prints it, without its place in the text. */
export interface WireFinding {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly rule_id?: string;
  readonly severity: Severity;
  readonly other_rule_ids?: readonly string[];
  readonly policy_types?: readonly string[];
  readonly witness?: WitnessHome;
  readonly allowed?: string;
}

/** A finding in wire names. */
export function writeFinding(finding: Finding): WireFinding {
  const { code, path, message, severity, ruleId, otherRuleIds, policyTypes, witness, allowed } = finding;
  return {
    code,
    path,
    message,
    ...(ruleId === undefined ? {} : { rule_id: ruleId }),
    severity,
    ...(otherRuleIds === undefined ? {} : { other_rule_ids: otherRuleIds }),
    ...(policyTypes === undefined ? {} : { policy_types: policyTypes }),
    ...(witness === undefined ? {} : { witness }),
    ...(allowed === undefined ? {} : { allowed }),
  };
}
