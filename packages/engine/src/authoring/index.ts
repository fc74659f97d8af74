export { carriersOf } from '../catalog/catalog.ts';
export { type AnalyseOptions, type Analysis, analyseRuleSet, analysisCodes } from './analyse.ts';
export { type AskedAt, askedAt, readAskedAt } from './asked-at.ts';
export { type CaseAnswer, type CheckedCases, checkCases } from './check-cases.ts';
export { type Finding, type Severity, type WireFinding, type WitnessHome, writeFinding } from './finding.ts';
export { type RuleCase, readCases } from './rule-case.ts';
