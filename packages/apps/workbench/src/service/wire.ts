import type { Schemas } from '@leeward/http/client';

/** Types of the OpenAPI document. */
export type WireTokenHolder = Schemas['TokenHolder'];
export type WireDecision = Schemas['UnderwritingDecision'];
export type WireVerdict = Schemas['Verdict'];
export type WireDistance = Schemas['DistanceToCoast'];
export type WireRuleSets = Schemas['RuleSetsInForce'];
export type WireQuote = Schemas['QuoteStatus'];
export type WireComparison = Schemas['QuoteComparison'];
export type WireIndications = Schemas['Indications'];
export type WireQuoteList = Schemas['QuoteList'];
export type WireWatchedHomes = Schemas['ListWatchedHomesResponse'];
export type WireSignInStarted = Schemas['SignInStarted'];
export type WireSignedIn = Schemas['SignedIn'];
export type WireQuoteCarriers = Schemas['QuoteCarriers'];
export type WireQuoteCreated = Schemas['QuoteCreated'];
export type WireProducts = Schemas['QuoteProducts'];
export type WireRegistry = Schemas['RegistryStatus'];
export type WireVersion = Schemas['RuleSetVersion'];
export type WireWholeVersion = Schemas['WholeRuleSetVersion'];
