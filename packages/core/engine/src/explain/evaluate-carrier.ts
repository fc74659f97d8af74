import { didYouMean, quoteValue } from '@leeward/terms';
import type { Decider } from '../catalog/organization-catalog.ts';
import { type Carrier, versionOn } from '../catalog/versions.ts';
import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import { findLadder } from '../compiled/find-ladder.ts';
import { isLadder } from '../compiled/ladder.ts';
import type { Almanac } from '../reference/almanac.ts';
import { evaluateByEngine } from '../reference/evaluate-by-engine.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import { expectVocabulary, type Property } from '../request/property.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Findings } from '../verdict/findings.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { verdictOf } from '../verdict/verdict-of.ts';

/** The carrier and policy type of a verdict. */
export interface VerdictKey {
  readonly carrierKey: string;
  /** Required if the property is for all policy types. @default the property's policy type */
  readonly policyType?: string;
}

/** A verdict and the data it was derived from. */
export interface EvaluatedCarrier {
  readonly version: CarrierRules;
  readonly evaluator: 'compiled' | 'reference';
  readonly findings: Findings;
  readonly verdict: Verdict;
}

/** @throws RangeError for an invalid key, and for a property of another vocabulary */
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
    throw new RangeError(
      `carrierKey is ${quoteValue(key.carrierKey)}; the catalog does not contain this carrier.${hint}`,
    );
  }
  const policyType = key.policyType ?? property.policyType;
  if (policyType === undefined || !decider.vocabulary.policyTypes.includes(policyType)) {
    const types = decider.vocabulary.policyTypes.join(', ');
    throw new RangeError(`policyType is ${quoteValue(policyType)}; give one of: ${types}.`);
  }
  return { carrier, policyType };
}

/** Undefined if the policy type is not offered. */
export async function evaluateCarrier(
  decider: Decider,
  property: Property,
  carrier: Carrier,
  policyType: string,
  almanac: Almanac,
): Promise<EvaluatedCarrier | undefined> {
  if (property.counties?.length === 0) return undefined;
  const version = versionOn(carrier, property.effectiveDate);
  if (!version) return undefined;
  const { ruleSet } = version;
  const { vocabulary, options } = decider;
  const program = compiledProgram(ruleSet, policyType, property.effectiveYear, vocabulary);
  if (!program) return undefined;
  const isCompiledHere = (isCompiled(program) || isLadder(program)) && options.evaluator !== 'reference';
  const findings = isCompiledHere
    ? isLadder(program)
      ? findLadder(program, property)
      : findCompiled(program, property)
    : await evaluateByEngine(ruleSet, policyType, property, createReferenceEvaluator(options), almanac);
  if (!findings) return undefined;
  const verdict = verdictOf(findings, version, policyType, property);
  return { version, evaluator: isCompiledHere ? 'compiled' : 'reference', findings, verdict };
}
