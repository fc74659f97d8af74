export { type AccountCatalogOptions, createAccountCatalogs } from './accounts/account-catalogs.ts';
export { createAccountTeams } from './accounts/account-teams.ts';
export { type CaptureOptions, captureDecisions, type SavingCapture } from './accounts/capture-decisions.ts';
export { createSavedHomes, type SavedHomeOptions } from './accounts/saved-homes.ts';
export {
  type FollowedHazardEvents,
  type FollowHazardEventsOptions,
  followHazardEvents,
} from './hazard-events/follow-hazard-events.ts';
export { addAuditStreamMetrics } from './observe/audit-stream-metrics.ts';
export { addHazardEventMetrics } from './observe/hazard-event-metrics.ts';
export { createLogger, type LogOptions } from './observe/logger.ts';
export { countGeocodes, createMetrics, type Metrics, metricsRoutes } from './observe/metrics.ts';
export { createQuoteMetrics } from './observe/quote-metrics.ts';
export { type AdminOptions, adminRoutes, createQuoteAudit } from './routes/admin-routes.ts';
export { type AdministrationPorts, administrationRoutes } from './routes/administration.ts';
export { type QuoteOperatorPorts, quoteOperatorRoutes } from './routes/quote-operator.ts';
export { type SignInPorts, signInRoutes } from './routes/sign-in.ts';
export { type WebhookPorts, webhookRoutes } from './routes/webhooks.ts';
export { type FollowedCatalog, type FollowOptions, followRuleSets } from './rule-sets/follow-rule-sets.ts';
export { createRulesPort, type RulesPortOptions } from './rule-sets/rules-port.ts';
export { type CheckerFor, threadCheckers } from './rule-sets/thread-checkers.ts';
export {
  type AuthorizationRequest,
  type CodeExchange,
  type IdentifiedPerson,
  SignInError,
  type SignInErrorCode,
  type SignInProvider,
} from './sign-in/sign-in-provider.ts';
