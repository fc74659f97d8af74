import type { Schemas } from '@leeward/http/client';

/** The answers of the service, as its document types them. */
export type WireDecision = Schemas['UnderwritingDecision'];
export type WireVerdict = Schemas['Verdict'];
export type WireDistance = Schemas['DistanceToCoast'];
export type WireRuleSets = Schemas['RuleSetsInForce'];
