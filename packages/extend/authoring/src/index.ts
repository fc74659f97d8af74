export { carriersOf } from '@leeward/engine/compiled';
export { type AnalyseOptions, type Analysis, analyseRuleSet, analysisCodes } from './analysis/analyse.ts';
export { type CaseAnswer, type CheckedCases, checkCases } from './cases/check-cases.ts';
export { type Coverage, coverageCodes, coverageOf, type RuleCoverage, type SuggestedCase } from './cases/coverage.ts';
export type { RuleCase } from './cases/rule-case.ts';
export type { AnswerCase } from './conformance/answer-case.ts';
export { type Conformance, checkConformance, type Divergence } from './conformance/check-conformance.ts';
export type { ConformanceAnswer, ConformanceCase } from './conformance/corpus.ts';
export { type Change, changes } from './diff/changed-regions.ts';
export type { Edit } from './diff/compare-files.ts';
export { type DiffOptions, diffRuleSets, type RuleSetDiff } from './diff/diff.ts';
export { type DmnExport, toDmn } from './dmn/to-dmn.ts';
export { type ExplainedAnswer, type ExplainedHome, explainHome } from './explain-home.ts';
export { type AskedAt, askedAt, mainTimeZone, readAskedAt } from './finding/asked-at.ts';
export { type ExampleHome, type Finding, type Severity, type WireFinding, writeFinding } from './finding/finding.ts';
export { importDecisionTable } from './import/import-decision-table.ts';
export { type DmnImport, importDmn } from './import/import-dmn.ts';
export { type Imported, type ImportOptions, importJsonRulesEngine } from './import/import-json-rules-engine.ts';
export { type InlinedAreas, inlineAreas } from './import/inline-areas.ts';
export { printRuleSet, type StartOptions, startingRuleSet } from './import/starting-rule-set.ts';
export { type CheckLawOptions, checkLaw, lawCodes } from './laws/check-law.ts';
export { type Law, lawSchema, type ReadLaw, readLaw } from './laws/law.ts';
export { type CaseEntry, type CaseOfDecision, caseOfDecision, requestOfProperty } from './review/case-of-decision.ts';
export {
  type HomesReplay,
  type HomeToReplay,
  openReplay,
  type ReplayedChange,
  type ReplayedHomes,
  type ReplayInput,
} from './review/replay-homes.ts';
export { type Review, type ReviewInput, reviewRuleSet } from './review/review-rule-set.ts';
export { type FactEntry, type RuleReference, ruleReference } from './rule-reference.ts';
export { type ReadWorkbook, readWorkbook } from './workbook/read-workbook.ts';
export { isNotes } from './workbook/sheets.ts';
export {
  cellName,
  type SheetCell,
  type WorkbookFault,
  type WorkbookPlace,
  type WorkbookSheet,
} from './workbook/workbook.ts';
export { writeWorkbook } from './workbook/write-workbook.ts';
