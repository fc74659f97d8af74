export { isUnwritable } from '@leeward/database';
export type {
  Cents,
  Fault,
  FormType,
  JsonObject,
  JsonValue,
  Micros,
  Product,
  ProductCode,
} from '@leeward/terms';
export { createSandboxCarrier, type SandboxFault, type SandboxOptions } from './carriers/sandbox/sandbox-carrier.ts';
export { withVerdict } from './carriers/with-verdict.ts';
export type { SkipCode } from './catalog/carrier-catalog.ts';
export { type CarrierCatalog, createCarrierCatalog } from './catalog/carrier-catalog.ts';
export { exampleQuoteFields } from './catalog/example-fields.ts';
export { fieldOptions } from './catalog/field-options.ts';
export type { FieldContext, QuoteField } from './catalog/quote-field.ts';
export { insuredFields } from './catalog/quote-fields.ts';
export { homeQuotes, type QuotedLine, type QuotedLines, quotedLines } from './catalog/quoted-line.ts';
export { DocumentError, type DocumentErrorKind } from './documents/document-error.ts';
export type { DocumentOptions, QuoteDocument } from './documents/documents.ts';
export { eraseRemovedTeams, eraseTeam } from './orchestrator/eraser.ts';
export { type Erasures, openErasures } from './orchestrator/erasures.ts';
export type { QuoteEvent, QuoteListener } from './orchestrator/quote-event.ts';
export {
  type AmountLine,
  type CallContext,
  type CarrierAdapter,
  type CarrierAnswer,
  type CarrierCallback,
  type CarrierDocument,
  type CarrierLimits,
  type CarrierMessage,
  type CarrierQuota,
  type CarrierRequest,
  type CarrierTerm,
  type CarrierTier,
  type ComparedTerm,
  type DocumentContext,
  type DocumentReference,
  type FinancialStrength,
  type Inclusion,
  type Indication,
  type IndicationRequest,
  inclusions,
  type LookupAnswer,
  type Offer,
  type OpenedDocument,
  type OpenRequirement,
  type OtherRate,
  type OtherRates,
  type PendingTerms,
  type Preparation,
  type RateType,
  type ResumeContext,
  rateTypes,
  type Settlement,
  settlements,
  type VerifiedCallback,
} from './ports/carrier-adapter.ts';
export {
  type CarrierExchange,
  type ExchangePurpose,
  type ExchangeReading,
  exchangePurposes,
} from './ports/carrier-exchange.ts';
export { CarrierFault, type CarrierFaultOptions, type FaultKind } from './ports/carrier-fault.ts';
export type { Clock } from './ports/clock.ts';
export type { CarrierClosure, ClosureRequest, ClosureSource } from './ports/closure-source.ts';
export {
  type HomeChange,
  type HomeStatus,
  type HomeVerdict,
  type HomeVerdicts,
  homeStatuses,
} from './ports/home-verdicts.ts';
export type { KeyContext, KeyService } from './ports/key-service.ts';
export { type AnswerOutcome, type FaultOutcome, faultOutcomes, type Outcome, outcomes } from './ports/outcome.ts';
export type { CarrierQueue, Delivery, JobRef, QueueBackend, QueueCapabilities } from './ports/queue-backend.ts';
export type { Appointment, TeamDirectory } from './ports/team-directory.ts';
export type { AnswersOfQuote, CarrierVerdict, VerdictReason, VerdictSource } from './ports/verdict-source.ts';
export type { CarriersResponse, ProductsResponse } from './present/catalog.ts';
export type {
  ComparedLine,
  ComparedRate,
  ComparedSection,
  PremiumRange,
  QuoteComparison,
  WireFinancialStrength,
} from './present/comparison.ts';
export type { EventCarrier, EventRate, HomeEventMessage, QuoteEventMessage } from './present/event.ts';
export type { WireBody, WireExchange, WireHttpMessage } from './present/exchange.ts';
export type { WireFailedRate } from './present/failed-rate.ts';
export type { Indications } from './present/indications.ts';
export type { QuoteInsured, QuoteList, QuoteListItem } from './present/quote-list.ts';
export type {
  Counts,
  CreatedQuoteResponse,
  OutcomeCounts,
  QuoteStatusResponse,
  RateIndexEntry,
} from './present/quote-status.ts';
export type {
  CoverageValue,
  FullRate,
  LiteRate,
  WireAmount,
  WireCoverage,
  WireDocument,
  WireMessage,
  WireStatus,
  WireTerm,
} from './present/rate.ts';
export type { WatchedHomeList, WatchedHomeView, WireHomeChange } from './present/watched-home.ts';
export { checkFields } from './request/check-fields.ts';
export {
  type CheckedQuoteRequest,
  checkQuoteRequest,
  type PlannedRate,
  type QuoteRequest,
  type QuoteRequestContext,
  type SkippedRate,
} from './request/check-quote-request.ts';
export { fieldReference } from './request/field-reference.ts';
export {
  IdempotencyConflictError,
  InvalidQuoteRequestError,
  RateNotRetryableError,
} from './request/quote-errors.ts';
export { createQuotes } from './service/create-quotes.ts';
export {
  type CarrierChanged,
  type Exchanges,
  type ExchangesOptions,
  type FailedRates,
  type FailedRatesOptions,
  MAX_EXCHANGES,
  MAX_FAILED_RATES,
  type OperatorActions,
  type RetriedRates,
  type RetryOptions,
} from './service/operator-actions.ts';
export type {
  CompareOptions,
  CreateOptions,
  ErasedInsured,
  QuoteEvents,
  QuoteListOptions,
  Quotes,
  TaggedEvent,
} from './service/quotes.ts';
export type { QuotesOptions } from './service/quotes-options.ts';
export type { WatchedHomes } from './service/watched-homes.ts';
export type { CarrierCooldown } from './store/carrier-cooldowns.ts';
export type { NotRetryable } from './store/change-quotes.ts';
export type { ErasedQuote, ErasedUnderKey } from './store/erase-lost-key.ts';
export type { Erasure } from './store/erasures.ts';
export {
  type EncryptionKey,
  type FieldEncryption,
  type KeyEncryptionKey,
  KeysUnavailableError,
} from './store/field-cipher.ts';
export { type FieldKeyUse, type Reencrypted, type SealedPlace, UnreadableFieldsError } from './store/field-keys.ts';
export type { CarrierBacklog } from './store/hand-out.ts';
export { isUnavailable } from './store/is-unavailable.ts';
export { quoteMigrations } from './store/migrations.ts';
export { type FieldKeys, openFieldKeys } from './store/open-field-keys.ts';
export type { QuotaUse } from './store/quota.ts';
export type { FailureCount } from './store/read-failed-rates.ts';
export { type EventType, eventTypes } from './store/read-outbox.ts';
export type { RateEvent } from './store/read-quotes.ts';
export type { RateStatus } from './store/tables.ts';
export type { Posted } from './webhooks/post-event.ts';
export { createSignedPost, type SignedMessage, type SignedPost } from './webhooks/signed-post.ts';
export { openWebhooks, type Webhooks, type WebhookTest, type WebhookView } from './webhooks/webhooks.ts';
