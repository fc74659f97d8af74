/** A fault must be corrected, a warning reviewed; a note is information. */
export type Severity = 'fault' | 'warning' | 'note';

/** A home in the form of a request. */
export type ExampleHome = Readonly<Record<string, unknown>>;

/** A mistake, oddity or change in a rule set or its cases. */
export interface Finding {
  readonly code: string;
  /** JSON Pointer into the file; `""` for the whole file. */
  readonly path: string;
  readonly message: string;
  readonly severity: Severity;
  readonly ruleId?: string;
  readonly otherRuleIds?: readonly string[];
  readonly policyTypes?: readonly string[];
  /** A home that shows the finding, confirmed by the engine. */
  readonly example?: ExampleHome;
  /** A home with the other answer, which differs from the example in the facts that the message names. */
  readonly counterexample?: ExampleHome;
  /** Reason in the file's `allow`. */
  readonly allowed?: string;
  /** JSON Pointers of all edited places, if `path` is that of an edited rule or part. */
  readonly paths?: readonly string[];
}

/** A finding under its names in JSON. */
export interface WireFinding {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly rule_id?: string;
  readonly severity: Severity;
  readonly other_rule_ids?: readonly string[];
  readonly policy_types?: readonly string[];
  readonly witness?: ExampleHome;
  readonly counterexample?: ExampleHome;
  readonly allowed?: string;
  readonly paths?: readonly string[];
}

/**
 * Writes a finding under its names in JSON.
 *
 * @example
 * writeFinding({ code: 'gap_rules', path: '', message: '…', severity: 'note', ruleId: 'roof' }); // { code: 'gap_rules', …, rule_id: 'roof' }
 */
export function writeFinding(finding: Finding): WireFinding {
  const { code, path, message, severity, ruleId, otherRuleIds, policyTypes, example, counterexample, allowed, paths } =
    finding;
  return {
    code,
    path,
    message,
    ...(ruleId === undefined ? {} : { rule_id: ruleId }),
    severity,
    ...(otherRuleIds === undefined ? {} : { other_rule_ids: otherRuleIds }),
    ...(policyTypes === undefined ? {} : { policy_types: policyTypes }),
    ...(example === undefined ? {} : { witness: example }),
    ...(counterexample === undefined ? {} : { counterexample }),
    ...(allowed === undefined ? {} : { allowed }),
    ...(paths === undefined ? {} : { paths }),
  };
}
