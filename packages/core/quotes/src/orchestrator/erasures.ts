import type { Database } from '@leeward/database';
import { MICROS_PER_MS } from '@leeward/terms';
import { insuredText } from '../request/insured-query.ts';
import type { Erasure } from '../store/erasures.ts';
import type { FieldEncryption } from '../store/field-cipher.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';

/*
 * The list of erasures, kept apart from the database: a backup from before an erasure still has the erased data, and replaying the list
 * after a restore erases it again. Data that is newer than an erasure stays.
 */

/** The erasures of a database. */
export interface Erasures {
  /** Entries without personal data, in no order. */
  list(): Promise<readonly Erasure[]>;
  /** Erases again, and adds the entries to the list. Can be repeated. @returns quotes erased, and quotes that no key opens. */
  replay(erasures: readonly Erasure[]): Promise<{ readonly quotes: number; readonly unreadable: number }>;
}

const PAGE_SIZE = 100;

/**
 * Opens the list of erasures of a database of quotes.
 *
 * @example
 * const erasures = await openErasures({ database, encryption }).list();
 */
export function openErasures(options: {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly encryption: FieldEncryption | undefined;
}): Erasures {
  const store = new SqlQuoteStore(options);
  return {
    async list() {
      const erasures: Erasure[] = [];
      for (let after = ''; ; ) {
        const page = await store.readErasures(after, PAGE_SIZE);
        erasures.push(...page);
        if (page.length < PAGE_SIZE) return erasures;
        after = page.at(-1)!.id;
      }
    },
    async replay(erasures) {
      for (const erasure of erasures) await store.keepErasure(erasure);
      const counts = { quotes: 0, unreadable: 0 };
      for (const [teamId, ofTeam] of Map.groupBy(erasures, (each) => each.teamId)) {
        const { quotes, unreadable } = await replayOfTeam(store, teamId, ofTeam);
        counts.quotes += quotes;
        counts.unreadable += unreadable;
      }
      await store.finishErasure();
      return counts;
    },
  };
}

async function replayOfTeam(store: SqlQuoteStore, teamId: string, erasures: readonly Erasure[]) {
  const isOf = (kind: Erasure['kind']) => erasures.filter((each) => each.kind === kind);
  const [quotes, persons] = [new Set(isOf('quote').map(({ subject }) => subject)), isOf('insured')];
  const tenantAt = Math.max(...isOf('tenant').map(({ at }) => at), 0);
  if (tenantAt > 0) {
    await store.eraseDataKeys(teamId, tenantAt);
    await store.removeWatchedHomes({ teamId, ageMs: Date.now() - tenantAt / MICROS_PER_MS });
  }
  const homes = isOf('home').map(({ subject }) => subject);
  for (let from = 0; from < homes.length; from += PAGE_SIZE) {
    await store.removeWatchedHomes({ teamId, ids: homes.slice(from, from + PAGE_SIZE) });
  }
  let count = 0;
  let unreadable = 0;
  for (let after = ''; ; ) {
    const page = await store.readPersonal(teamId, after, PAGE_SIZE);
    const ids: string[] = [];
    for (const { id, createdAt, fields } of page) {
      let isErased = quotes.has(id) || createdAt <= tenantAt;
      const older = persons.filter(({ at }) => createdAt <= at);
      if (!isErased && fields === undefined && older.length > 0) unreadable++;
      for (const { subject, matchedBy = [], key } of fields === undefined || isErased ? [] : older) {
        isErased ||= (await store.keyedHash(insuredText(teamId, fields!, matchedBy), key?.id)).hash === subject;
      }
      if (isErased) ids.push(id);
    }
    count += (await store.eraseQuotes(ids)).quoteIds.length;
    if (page.length < PAGE_SIZE) return { quotes: count, unreadable };
    after = page.at(-1)!.id;
  }
}
