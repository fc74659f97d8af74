import { didYouMean, quoteValue } from '@leeward/terms';
import type { Decider } from '../catalog/organization-catalog.ts';
import { type Carrier, versionOn } from '../catalog/versions.ts';
import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import type { Almanac } from '../reference/almanac.ts';
import { evaluateByEngine } from '../reference/evaluate-by-engine.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import { expectVocabulary, type Property } from '../request/property.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Findings } from '../verdict/findings.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { verdictOf } from '../verdict/verdict-of.ts';

/** Which answer is asked about. */
export interface VerdictKey {
  readonly carrierKey: string;
  /** Default: the property's own policy type; needed where it asks for all. */
  readonly policyType?: string;
}

/** One carrier's answer, with what it was found from. */
export interface JudgedCarrier {
  readonly version: CarrierRules;
  readonly evaluator: 'compiled' | 'reference';
  readonly findings: Findings;
  readonly verdict: Verdict;
}

/**
 * The carrier and policy type of a key. Throws a `RangeError` that names what is wrong with it, and for a
 * property of another vocabulary.
 */
export function resolveKey(
  decider: Decider,
  property: Property,
  key: VerdictKey,
): { readonly carrier: Carrier; readonly policyType: string } {
  expectVocabulary(property, decider.vocabulary);
  const carrier = decider.carriers.find((each) => each.key === key.carrierKey);
  if (!carrier) {
    const names = decider.carriers.map((each) => each.key);
    const hint = typeof key.carrierKey === 'string' ? didYouMean(key.carrierKey, names) : '';
    throw new RangeError(`carrierKey is ${quoteValue(key.carrierKey)}; there is no such carrier here.${hint}`);
  }
  const policyType = key.policyType ?? property.policyType;
  if (policyType === undefined || !decider.vocabulary.policyTypes.includes(policyType)) {
    const types = decider.vocabulary.policyTypes.join(', ');
    throw new RangeError(`policyType is ${quoteValue(policyType)}; give one of: ${types}.`);
  }
  return { carrier, policyType };
}

/** Judges a property by one carrier's rules; undefined where the policy type is not offered. */
export async function judgeCarrier(
  decider: Decider,
  property: Property,
  carrier: Carrier,
  policyType: string,
  almanac: Almanac,
): Promise<JudgedCarrier | undefined> {
  if (property.counties?.length === 0) return undefined;
  const version = versionOn(carrier, property.effectiveDate);
  if (!version) return undefined;
  const { ruleSet } = version;
  const { vocabulary, options } = decider;
  const program = compiledProgram(ruleSet, policyType, property.effectiveYear, vocabulary);
  if (!program) return undefined;
  const compiled = isCompiled(program) && options.evaluator !== 'reference';
  const findings = compiled
    ? findCompiled(program, property)
    : await evaluateByEngine(ruleSet, policyType, property, createReferenceEvaluator(options), almanac);
  if (!findings) return undefined;
  const verdict = verdictOf(findings, version, policyType, property);
  return { version, evaluator: compiled ? 'compiled' : 'reference', findings, verdict };
}
