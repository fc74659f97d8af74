export { carriersOf } from '../catalog/catalog.ts';
export { type CaseAnswer, type CheckedCases, checkCases } from './check-cases.ts';
export { type Finding, type Severity, type WireFinding, type WitnessHome, writeFinding } from './finding.ts';
export { type RuleCase, readCases } from './rule-case.ts';
