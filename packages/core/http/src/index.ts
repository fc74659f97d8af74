export type { Caller, Directory } from './access/directory.ts';
export { createKeyHolder, type HeldKey } from './access/key-holder.ts';
export { type OverloadLimits, organizationTenant, tenantOf } from './admission/admission.ts';
export { createFairScheduler, type FairScheduler, type FairSchedulerOptions } from './admission/fair-scheduler.ts';
export { createShares, type Shares } from './admission/shares.ts';
export type { Answer, AnswerStream, WrittenAnswer } from './answer/answer.ts';
export { type AnswerVersions, catalogStamp } from './answer/answer-versions.ts';
export { distanceRequest } from './distance/distance-schema.ts';
export {
  type CoastPort,
  createServedCoast,
  type DistancePorts,
  type DistanceResponse,
  distanceResponse,
  type FoundPlace,
} from './distance/index.ts';
export { jsonSchemaOf } from './document/component-schemas.ts';
export { createContentText } from './document/content-text.ts';
export { idempotencyHeader } from './document/idempotency-header.ts';
export type { OpenApiDocument } from './document/open-api-document.ts';
export {
  combineHazardEvents,
  createMemoryHazardEvents,
  type HazardEventFeed,
  type KnownHazardEvents,
  type MemoryHazardEvents,
} from './hazard-events/hazard-event-feed.ts';
export type { PolledHazardEvents } from './hazard-events/polled-hazard-events.ts';
export { createUrlHazardEvents, type UrlHazardEventOptions } from './hazard-events/url-hazard-events.ts';
export { createLeeward, type Leeward, type LeewardOptions } from './leeward.ts';
export type { RequestLogger } from './observe/log-requests.ts';
export type { Exchange, Observer } from './observe/observer.ts';
export { RequestLine } from './observe/request-line.ts';
export { traceCarrier, traceQueue } from './observe/trace-quotes.ts';
export {
  type AnswerText,
  type ContentText,
  type GuardedOperation,
  guarded,
  type HeaderText,
  type JsonSchema,
  type OpenOperation,
  type Operation,
  type OperationText,
  type RouteGroup,
} from './operation/operation.ts';
export type { GuardedContext, RequestContext } from './operation/request-context.ts';
export {
  invalidRequest,
  notFound,
  Problem,
  type ProblemCode,
  type ProblemOptions,
  type RequestFault,
  unavailable,
} from './problem/problem.ts';
export { type ProblemDocument, problemSchema } from './problem/problem-document.ts';
export { createHomeVerdicts, type HomeVerdictPorts } from './quoting/home-verdicts.ts';
export { asQuoteProblem } from './quoting/quote-problem.ts';
export { quotedLine, soldLine } from './quoting/quoted-line.ts';
export { createClosureSource, createVerdictSource, type VerdictSourcePorts } from './quoting/verdict-source.ts';
export { createMemoryRateLimitStore, type MemoryRateLimitOptions } from './rate-limit/memory-store.ts';
export type { RateLimit } from './rate-limit/rate-limit.ts';
export type { RateLimitDecision, RateLimitStore, Withdrawal } from './rate-limit/rate-limit-store.ts';
export { redacted } from './redaction/redacted.ts';
export { checkBody } from './request/check-body.ts';
export type { Incoming } from './request/incoming.ts';
export type { Readiness, ReadinessWarning, ReadinessWarnings } from './routes/operational.ts';
export type { DocumentStreamLimits } from './routes/quoting/quote-documents.ts';
export type { EventStreamLimits } from './routes/quoting/quote-events.ts';
export type { QuoteAudit, QuotingPorts, ReadSavedHome, SavedHome } from './routes/quoting/quoting-ports.ts';
export type { LinePorts, UnderwritingPorts } from './routes/underwriting.ts';
export type { Workbench, WorkbenchFile } from './routes/workbench.ts';
export { locateCatalog, type ServedCatalog, servedCatalog } from './rule-sets/served-catalog.ts';
export { tracePort } from './trace/trace-port.ts';
export {
  decisionSchema,
  type WireDecision,
  type WireTierVerdict,
  type WireVerdict,
} from './underwriting/decision-schema.ts';
export { knownValueSchema } from './underwriting/explanation-schema.ts';
export { type MeasuredPoints, measurePoints, type PointsToMeasure } from './underwriting/measure-points.ts';
export { locateOrganization, type OrganizationCatalogs } from './underwriting/organization-catalogs.ts';
export { type ReadHome, type ReadHomeOptions, readHome } from './underwriting/read-home.ts';
export { underwritingRequestContent } from './underwriting/request-content.ts';
export {
  type DecisionCapture,
  type DecisionWithShores,
  type MeasuredShore,
  type UnderwriteHomeOptions,
  underwriteHome,
  underwriteWithShores,
} from './underwriting/underwrite-home.ts';
