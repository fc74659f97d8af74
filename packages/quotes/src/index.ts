export { createSandboxCarrier } from './carriers/sandbox/sandbox-carrier.ts';
export { createQuotes, type QuotesOptions } from './create-quotes.ts';
export type { CarrierAdapter } from './ports/carrier-adapter.ts';
export type { QueueBackend } from './ports/queue-backend.ts';
export type { Quotes } from './quotes.ts';
export { quoteMigrations } from './store/migrations.ts';
