export type { WireDecision, WireVerdict } from './decision-schema.ts';
export { type DecisionContext, writeDecision } from './write-decision.ts';
