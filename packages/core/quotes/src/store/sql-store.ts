import type { Database } from '@leeward/database';
import type { Clock } from '../ports/clock.ts';
import type { QuoteStore } from '../ports/quote-store.ts';
import { liftRest, pauseCarrier, readRests, restCarrier } from './carrier-rests.ts';
import { cancelQuote, expire, retryRate } from './change-quotes.ts';
import { claim } from './claim.ts';
import { createClockWatch } from './clock-jump.ts';
import { createQuote, findByIdempotencyKey, forgetIdempotencyKeys } from './create-quote.ts';
import { deleteFinished } from './delete-finished.ts';
import { findLost, finish } from './end-rates.ts';
import { eraseQuotes, findOlderThan, overwrite, readPersonal, teamsWithPersonalData } from './erase.ts';
import { createFieldCipher, type FieldEncryption } from './field-cipher.ts';
import { checkFieldKeys } from './field-keys.ts';
import { countHandedOut, forgetIdleTeams, takeDue } from './hand-out.ts';
import { takePermit } from './pace.ts';
import { forgetCallbacks, keepPending, takeCallback } from './pending.ts';
import { createProcessWatch } from './processes.ts';
import { putOff } from './put-off.ts';
import { readQuotas, takeQuota } from './quota.ts';
import { readBacklog } from './read-backlog.ts';
import { announce, hear, readOutbox } from './read-outbox.ts';
import { readDocument, readEvents, readFields, readQuote, readRate, readRates } from './read-quotes.ts';
import { carriersOfRates, countTroubled, readTroubled, wakeRate } from './read-troubled.ts';
import { markSent, release } from './release.ts';
import { createStoreContext } from './store-context.ts';
import { createWebhookStore } from './webhooks.ts';

/** The database of quotes, its clock, and the keys of personal data. */
export interface SqlStoreOptions {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  /** Default: the database's own clock. */
  readonly clock?: Clock | undefined;
  /** Encrypts `fields` at rest. Default: plain JSON. */
  readonly encryption?: FieldEncryption | undefined;
  /** After how long a nudge that nobody answered is repeated. Default 10,000. */
  readonly redispatchMs?: number | undefined;
}

/** The store on SQLite or PostgreSQL. */
export function createSqlStore(options: SqlStoreOptions): QuoteStore {
  const { database, clock, encryption, redispatchMs = 10_000 } = options;
  const context = createStoreContext({ database, clock, cipher: createFieldCipher(encryption), redispatchMs });
  /** False while the log still holds what was erased. */
  let overwritten = true;
  const processes = createProcessWatch(context);
  const clockWatch = createClockWatch(context, clock !== undefined);
  return {
    createQuote: (quote) => createQuote(context, quote),
    findByIdempotencyKey: (teamId, key) => findByIdempotencyKey(context, teamId, key),
    readQuote: (teamId, id) => readQuote(context, teamId, id),
    readFields: (quoteId) => readFields(context, quoteId),
    readRates: (quoteId) => readRates(context, quoteId),
    readRate: (teamId, rateId) => readRate(context, teamId, rateId),
    readDocument: (teamId, rateId, documentId) => readDocument(context, teamId, rateId, documentId),
    readEvents: (rateId) => readEvents(context, rateId),
    readOutbox: (wanted, limit) => readOutbox(context, wanted, limit),
    webhooks: createWebhookStore(context),
    changes: () => database.commits(),
    announce: (quoteIds) => announce(context, quoteIds),
    hear: (told) => hear(context, told),
    takeDue: (due) => takeDue(context, due),
    countHandedOut: () => countHandedOut(context),
    putOff: (jobs, delayMs) => putOff(context, jobs, delayMs),
    claim: (claims) => claim(context, claims),
    markSent: (holds) => markSent(context, holds),
    finish: (endings) => finish(context, endings),
    release: (releases) => release(context, releases),
    keepPending: (waits) => keepPending(context, waits),
    takeCallback: (callback) => takeCallback(context, callback),
    readBacklog: () => readBacklog(context),
    countTroubled: () => countTroubled(context),
    readQuotas: () => readQuotas(context),
    findLost: (holds) => findLost(context, holds),
    expire: (limit) => expire(context, limit),
    followProcesses: () => processes.follow(),
    leaveProcesses: () => processes.leave(),
    followClock: () => clockWatch.follow(),
    takePermit: (carrierKey, limit) => takePermit(context, carrierKey, limit),
    takeQuota: (carrierKey, quotas) => takeQuota(context, carrierKey, quotas),
    restCarrier: (carrierKey, restMs) => restCarrier(context, carrierKey, restMs),
    pauseCarrier: (carrierKey) => pauseCarrier(context, carrierKey),
    readRests: () => readRests(context),
    liftRest: (carrierKey) => liftRest(context, carrierKey),
    cancelQuote: (quoteId) => cancelQuote(context, quoteId),
    retryRate: (rateId, newId, options) => retryRate(context, rateId, newId, options),
    readTroubled: (query) => readTroubled(context, query),
    carriersOfRates: (rateIds) => carriersOfRates(context, rateIds),
    wakeRate: (rateId) => wakeRate(context, rateId),
    async eraseQuotes(quoteIds) {
      const erased = await eraseQuotes(context, quoteIds);
      if (erased.quoteIds.length > 0) overwritten = await overwrite(context);
      return erased;
    },
    async deleteFinished(options) {
      const deleted = await deleteFinished(context, options);
      if (deleted.count > 0) overwritten = await overwrite(context);
      return deleted;
    },
    async finishErasure() {
      if (!overwritten) overwritten = await overwrite(context);
    },
    findOlderThan: (ageMs, limit) => findOlderThan(context, ageMs, limit),
    readPersonal: (teamId, after, limit) => readPersonal(context, teamId, after, limit),
    teamsWithPersonalData: () => teamsWithPersonalData(context),
    async forgetIdempotencyKeys() {
      await forgetIdempotencyKeys(context);
      await forgetCallbacks(context);
      await forgetIdleTeams(context);
    },
    async ping() {
      await database.checkWritable();
      await checkFieldKeys(context);
    },
  };
}
