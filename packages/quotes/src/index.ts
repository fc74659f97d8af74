export { createQuotes, type QuotesOptions } from './create-quotes.ts';
export { quoteMigrations } from './store/migrations.ts';
export { createSandboxCarrier } from './carriers/sandbox/sandbox-carrier.ts';
