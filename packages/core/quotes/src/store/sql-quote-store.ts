import type { Database } from '@leeward/database';
import type { Micros } from '@leeward/terms';
import type { CarrierLimits, CarrierQuota } from '../ports/carrier-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import { type AcceptedCallback, acceptCallback, forgetCallbacks } from './callbacks.ts';
import { endCooldown, pauseCarrier, readCooldowns, startCooldown } from './carrier-cooldowns.ts';
import { cancelQuote, expire, retryRate } from './change-quotes.ts';
import type { Hold } from './change-rates.ts';
import { type ClockWatch, createClockWatch } from './clock-jump.ts';
import { type OpenQuotesQuery, readOpenQuotes, recordClosures, teamsWithOpenQuotes } from './closures.ts';
import type { NewQuote } from './create-quote.ts';
import { createQuote, findByIdempotencyKey, forgetIdempotencyKeys } from './create-quote.ts';
import { type Ending, findLostHolds, finish } from './end-rates.ts';
import {
  type DeletedQuotes,
  deleteFinished,
  type Erased,
  eraseQuotes,
  findOlderThan,
  type OldQuote,
  overwrite,
  readPersonal,
  teamsWithPersonalData,
} from './erase.ts';
import { type Erasure, keepErasure, keyedHash, type NewErasure, readErasures, recordErasure } from './erasures.ts';
import {
  deleteOldExchanges,
  type ExchangesQuery,
  keepExchanges,
  type NewExchange,
  readExchanges,
} from './exchanges.ts';
import type { FieldEncryption } from './field-cipher.ts';
import { checkFieldKeys } from './field-keys.ts';
import { forgetIdleTeams, type HandOutRequest, handOut, readBacklog } from './hand-out.ts';
import { listQuotes, type QuoteListQuery } from './list-quotes.ts';
import { claimPass, completePass, type Pass, releasePass, renewPass } from './passes.ts';
import { keepPending, type PendingWait } from './pending.ts';
import { createProcessWatch, type ProcessWatch } from './processes.ts';
import { readQuotas, takeQuota } from './quota.ts';
import { takePermit } from './rate-limit.ts';
import {
  carriersOfRates,
  countFailures,
  type FailedRatesQuery,
  makeRateDue,
  readFailedRates,
} from './read-failed-rates.ts';
import { type EventsAfter, notify, readOutbox, subscribe } from './read-outbox.ts';
import { readDocument, readEvents, readFields, readOtherRates, readQuote, readRate, readRates } from './read-quotes.ts';
import { markSent, type Release, release, type Sending } from './release.ts';
import { createStoreContext, type StoreContext } from './store-context.ts';
import {
  createWatchedHome,
  type EvaluatedHome,
  type NewWatchedHome,
  readDueHomes,
  readWatchedHomes,
  recordVerdicts,
  removeWatchedHomes,
  teamsWithWatchedHomes,
  type WatchedHomesQuery,
} from './watched-homes.ts';
import { createWebhookStore, type WebhookStore } from './webhooks.ts';

export interface SqlStoreOptions {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  /** @default the database's clock */
  readonly clock?: Clock | undefined;
  /** @default plain JSON */
  readonly encryption?: FieldEncryption | undefined;
}

/**
 * Quotes and rates in SQLite or PostgreSQL; methods are documented at the functions that they call. Every operation is atomic and on
 * disk when it resolves. List operations may succeed for some items and fail for others. A rate changes its status only together with an
 * event row, and never after its end. Rejects if the database is unavailable.
 */
export class SqlQuoteStore {
  readonly webhooks: WebhookStore;
  readonly #context: StoreContext;
  readonly #processes: ProcessWatch;
  readonly #clockWatch: ClockWatch;
  /** False while SQLite's log holds erased bytes. */
  #isOverwritten = true;
  #overwriting: Promise<boolean> | undefined;

  constructor({ database, clock, encryption }: SqlStoreOptions) {
    this.#context = createStoreContext({ database, clock, encryption });
    this.#processes = createProcessWatch(this.#context);
    this.#clockWatch = createClockWatch(this.#context, clock !== undefined);
    this.webhooks = createWebhookStore(this.#context);
  }

  createQuote(quote: NewQuote) {
    return createQuote(this.#context, quote);
  }
  findByIdempotencyKey(teamId: string, key: string) {
    return findByIdempotencyKey(this.#context, teamId, key);
  }
  readQuote(teamId: string, id: string) {
    return readQuote(this.#context, teamId, id);
  }
  listQuotes(query: QuoteListQuery) {
    return listQuotes(this.#context, query);
  }
  readFields(quoteId: string) {
    return readFields(this.#context, quoteId);
  }
  readOtherRates(rateId: string) {
    return readOtherRates(this.#context, rateId);
  }
  readRates(quoteId: string) {
    return readRates(this.#context, quoteId);
  }
  readRate(teamId: string, rateId: string) {
    return readRate(this.#context, teamId, rateId);
  }
  readDocument(teamId: string, rateId: string, documentId: string) {
    return readDocument(this.#context, teamId, rateId, documentId);
  }
  readEvents(rateId: string) {
    return readEvents(this.#context, rateId);
  }
  readBacklog() {
    return readBacklog(this.#context);
  }
  readOutbox(positions: readonly EventsAfter[], limit: number) {
    return readOutbox(this.#context, positions, limit);
  }
  /** Changes with every commit; undefined if reading it would cost a query. */
  changes() {
    return this.#context.database.commits();
  }
  notify(quoteIds: readonly string[]) {
    return notify(this.#context, quoteIds);
  }
  subscribe(onEvents: (quoteIds: readonly string[] | 'all') => void) {
    return subscribe(this.#context, onEvents);
  }
  handOut(requests: readonly HandOutRequest[], isRepeat?: boolean) {
    return handOut(this.#context, requests, isRepeat);
  }
  markSent(sendings: readonly Sending[]) {
    return markSent(this.#context, sendings);
  }
  finish(endings: readonly Ending[]) {
    return finish(this.#context, endings);
  }
  release(releases: readonly Release[]) {
    return release(this.#context, releases);
  }
  keepPending(waits: readonly (Hold & PendingWait)[]) {
    return keepPending(this.#context, waits);
  }
  acceptCallback(callback: AcceptedCallback) {
    return acceptCallback(this.#context, callback);
  }
  findLostHolds(holds: readonly Hold[]) {
    return findLostHolds(this.#context, holds);
  }
  expire(limit: number) {
    return expire(this.#context, limit);
  }
  cancelQuote(quoteId: string) {
    return cancelQuote(this.#context, quoteId);
  }
  retryRate(rateId: string, newId: string, options: Parameters<typeof retryRate>[3]) {
    return retryRate(this.#context, rateId, newId, options);
  }
  readFailedRates(query: FailedRatesQuery) {
    return readFailedRates(this.#context, query);
  }
  countFailures() {
    return countFailures(this.#context);
  }
  carriersOfRates(rateIds: readonly string[]) {
    return carriersOfRates(this.#context, rateIds);
  }
  makeRateDue(rateId: string) {
    return makeRateDue(this.#context, rateId);
  }
  teamsWithOpenQuotes(query: Parameters<typeof teamsWithOpenQuotes>[1]) {
    return teamsWithOpenQuotes(this.#context, query);
  }
  readOpenQuotes(query: OpenQuotesQuery) {
    return readOpenQuotes(this.#context, query);
  }
  claimPass(pass: Pass, options: Parameters<typeof claimPass>[2]) {
    return claimPass(this.#context, pass, options);
  }
  renewPass(pass: Omit<Pass, 'stamp'>, leaseMs: number) {
    return renewPass(this.#context, pass, leaseMs);
  }
  completePass(pass: Pass) {
    return completePass(this.#context, pass);
  }
  releasePass(pass: Omit<Pass, 'stamp'>) {
    return releasePass(this.#context, pass);
  }
  recordClosures(token: string, quoteId: string, changes: Parameters<typeof recordClosures>[3]) {
    return recordClosures(this.#context, token, quoteId, changes);
  }
  createWatchedHome(home: NewWatchedHome, maxCount: number) {
    return createWatchedHome(this.#context, home, maxCount);
  }
  readWatchedHomes(query: WatchedHomesQuery) {
    return readWatchedHomes(this.#context, query);
  }
  teamsWithWatchedHomes() {
    return teamsWithWatchedHomes(this.#context);
  }
  readDueHomes(query: Parameters<typeof readDueHomes>[1]) {
    return readDueHomes(this.#context, query);
  }
  recordVerdicts(token: string, stamp: string, homes: readonly EvaluatedHome[]) {
    return recordVerdicts(this.#context, token, stamp, homes);
  }
  async removeWatchedHomes(which: Parameters<typeof removeWatchedHomes>[1]) {
    const count = await removeWatchedHomes(this.#context, which);
    if (count > 0) this.#isOverwritten = await this.#overwrite();
    return count;
  }
  takePermit(carrierKey: string, limit: NonNullable<CarrierLimits['rateLimit']>) {
    return takePermit(this.#context, carrierKey, limit);
  }
  takeQuota(carrierKey: string, quotas: readonly CarrierQuota[]) {
    return takeQuota(this.#context, carrierKey, quotas);
  }
  readQuotas() {
    return readQuotas(this.#context);
  }
  startCooldown(carrierKey: string, cooldownMs: number) {
    return startCooldown(this.#context, carrierKey, cooldownMs);
  }
  pauseCarrier(carrierKey: string) {
    return pauseCarrier(this.#context, carrierKey);
  }
  readCooldowns() {
    return readCooldowns(this.#context);
  }
  endCooldown(carrierKey: string) {
    return endCooldown(this.#context, carrierKey);
  }

  beat() {
    return this.#processes.follow();
  }
  leave() {
    return this.#processes.leave();
  }
  followClock() {
    return this.#clockWatch.follow();
  }

  /** One checkpoint for all erasures that were committed before it: it blocks the thread. */
  #overwrite(): Promise<boolean> {
    this.#overwriting ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#overwriting = undefined;
      return overwrite(this.#context);
    });
    return this.#overwriting;
  }

  async eraseQuotes(quoteIds: readonly string[]): Promise<Erased> {
    const erased = await eraseQuotes(this.#context, quoteIds);
    if (erased.quoteIds.length > 0) this.#isOverwritten = await this.#overwrite();
    return erased;
  }
  async deleteFinished(options: {
    readonly ageMs: number;
    readonly after: OldQuote | undefined;
    readonly limit: number;
  }): Promise<DeletedQuotes> {
    const deleted = await deleteFinished(this.#context, options);
    if (deleted.count > 0) this.#isOverwritten = await this.#overwrite();
    return deleted;
  }
  async finishErasure(): Promise<void> {
    if (!this.#isOverwritten) this.#isOverwritten = await this.#overwrite();
  }
  keepExchanges(exchanges: readonly NewExchange[]) {
    return keepExchanges(this.#context, exchanges);
  }
  readExchanges(query: ExchangesQuery) {
    return readExchanges(this.#context, query);
  }
  async deleteOldExchanges(ageMs: number, limit: number): Promise<number> {
    const count = await deleteOldExchanges(this.#context, ageMs, limit);
    if (count > 0) this.#isOverwritten = await this.#overwrite();
    return count;
  }
  findOlderThan(ageMs: number, limit: number) {
    return findOlderThan(this.#context, ageMs, limit);
  }
  readPersonal(teamId: string, after: string, limit: number) {
    return readPersonal(this.#context, teamId, after, limit);
  }
  teamsWithDataKeys() {
    return this.#context.dataKeys.teams();
  }
  async eraseDataKeys(teamId: string, upTo?: Micros) {
    const count = await this.#context.dataKeys.erase(teamId, upTo);
    if (count > 0) this.#isOverwritten = await this.#overwrite();
  }
  recordErasure(erasure: NewErasure) {
    return recordErasure(this.#context, erasure);
  }
  keyedHash(text: string, keyId?: string) {
    return keyedHash(this.#context, text, keyId);
  }
  readErasures(after: string, limit: number) {
    return readErasures(this.#context, after, limit);
  }
  keepErasure(erasure: Erasure) {
    return keepErasure(this.#context, erasure);
  }
  teamsWithPersonalData() {
    return teamsWithPersonalData(this.#context);
  }
  async deleteExpired(): Promise<void> {
    await forgetIdempotencyKeys(this.#context);
    await forgetCallbacks(this.#context);
    await forgetIdleTeams(this.#context);
  }

  async ping(): Promise<void> {
    await this.#context.database.checkWritable();
    await checkFieldKeys(this.#context);
    await this.#context.dataKeys.probe();
  }
}
