export {
  type DecisionRecord,
  decisionRecordSchema,
  type RecordedHostFact,
  type RecordedRuleSet,
} from './decision-record.ts';
export { type RecordedDecision, type RecordingOptions, recordDecision } from './record-decision.ts';
export {
  type OpenedRecord,
  openDecisionRecord,
  type ReplayedDecision,
  replayDecision,
} from './replay-decision.ts';
export { ReplayError, type ReplayErrorCode } from './replay-error.ts';
export { type RequestOfRecord, requestOfRecord } from './request-of-record.ts';
export type { RuleSetArchive, StoredRuleSet } from './rule-set-archive.ts';
export { answersOf, type SavedAnswer, type SavedAnswers } from './saved-answer.ts';
