export { carriersOf } from '../catalog/carriers-of.ts';
export type { AnswerCase } from '../conformance/answer-case.ts';
export { type Conformance, checkConformance, type Divergence } from '../conformance/check-conformance.ts';
export type { ConformanceAnswer, ConformanceCase, ConformanceCorpus } from '../conformance/corpus.ts';
export { type ReadWorkbook, readWorkbook } from '../workbook/read-workbook.ts';
export { isNotes } from '../workbook/sheets.ts';
export {
  cellName,
  type SheetCell,
  type WorkbookFault,
  type WorkbookPlace,
  type WorkbookSheet,
} from '../workbook/workbook.ts';
export { writeWorkbook } from '../workbook/write-workbook.ts';
export { type AnalyseOptions, type Analysis, analyseRuleSet, analysisCodes } from './analyse.ts';
export { type AskedAt, askedAt, mainTimeZone, readAskedAt } from './asked-at.ts';
export { type CaseEntry, type CaseOfDecision, caseOfDecision, requestOfProperty } from './case-of-decision.ts';
export { type Change, changes } from './changed-regions.ts';
export { type CaseAnswer, type CheckedCases, checkCases } from './check-cases.ts';
export type { Edit } from './compare-files.ts';
export { type Coverage, coverageCodes, coverageOf, type RuleCoverage, type SuggestedCase } from './coverage.ts';
export { changeBetween, type DiffOptions, diffRuleSets, type RuleSetDiff } from './diff.ts';
export { type ExplainedAnswer, type ExplainedHome, explainHome } from './explain-home.ts';
export { type Finding, type Severity, type WireFinding, type WitnessHome, writeFinding } from './finding.ts';
export { importDecisionTable } from './import-decision-table.ts';
export { type Imported, type ImportOptions, importJsonRulesEngine } from './import-json-rules-engine.ts';
export {
  type HomesReplay,
  type HomeToReplay,
  openReplay,
  type ReplayedChange,
  type ReplayedHomes,
  type ReplayInput,
} from './replay-homes.ts';
export { type Review, type ReviewInput, reviewRuleSet } from './review-rule-set.ts';
export { type RuleCase, readCases } from './rule-case.ts';
export { type FactEntry, type RuleReference, ruleReference } from './rule-reference.ts';
export { printRuleSet, type StartOptions, startingRuleSet } from './starting-rule-set.ts';
