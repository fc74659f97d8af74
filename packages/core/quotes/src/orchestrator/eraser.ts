import type { Database } from '@leeward/database';
import type { TeamDirectory } from '../ports/team-directory.ts';
import { type InsuredQuery, type IsInsured, insuredText } from '../request/insured-query.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { QuoteEvent, QuoteListener } from './quote-event.ts';

const PAGE_SIZE = 20;
const DAY_MS = 86_400_000;

/** Waited for between pages. False ends the work. */
export type Pause = () => Promise<boolean>;

const afterOthers: Pause = () => new Promise((resolve) => setImmediate(resolve, true));

type Why = Extract<QuoteEvent, { type: 'quotes_erased' }>['why'];

export interface Eraser {
  /** @returns false if the quote does not exist or was erased before. */
  eraseQuote(teamId: string, quoteId: string): Promise<boolean>;
  eraseInsured(
    teamId: string,
    insured: InsuredQuery,
    pause?: Pause,
  ): Promise<{ readonly quoteIds: readonly string[]; readonly unreadable: number }>;
  /** Erases all data of a team, which may go on. @returns the number of quotes. */
  eraseTeam(teamId: string): Promise<number>;
  eraseRemovedTeams(): Promise<number>;
  eraseOld(personalDataDays: number): Promise<void>;
}

export function createEraser(options: {
  readonly store: SqlQuoteStore;
  readonly teams: TeamDirectory;
  readonly inFlight: InFlight;
  readonly listener: QuoteListener;
  readonly wake?: (quoteIds: readonly string[]) => void;
}): Eraser {
  const { store, teams, inFlight, listener, wake } = options;

  const erase = async (quoteIds: readonly string[], why: Why, teamId?: string) => {
    if (quoteIds.length === 0) return [];
    const erased = await store.eraseQuotes(quoteIds);
    inFlight.lose(erased.endedRateIds);
    if (erased.endedRateIds.length > 0) wake?.(erased.quoteIds);
    if (erased.quoteIds.length > 0) listener({ type: 'quotes_erased', why, teamId, quoteIds: erased.quoteIds });
    return erased.quoteIds;
  };
  /** Erases in pages, so that other work continues. Without `isInsured` all quotes match. */
  const eraseOfTeam = async (teamId: string, why: Why, isInsured: IsInsured | undefined, pause = afterOthers) => {
    const quoteIds: string[] = [];
    let unreadable = 0;
    for (let after = ''; ; ) {
      const page = await store.readPersonal(teamId, after, PAGE_SIZE);
      const matches = page.filter(
        ({ fields }) => isInsured === undefined || (fields !== undefined && isInsured(fields)),
      );
      if (isInsured !== undefined) unreadable += page.filter(({ fields }) => fields === undefined).length;
      const ids = matches.map(({ id }) => id);
      quoteIds.push(...(await erase(ids, why, teamId)));
      if (page.length < PAGE_SIZE) return { quoteIds, unreadable };
      after = page.at(-1)!.id;
      if (!(await pause())) return { quoteIds, unreadable };
    }
  };
  const eraseTeam = async (teamId: string, why: Why) => {
    // First, so that an interrupted erasure is replayed after a restore.
    await store.recordErasure({ kind: 'tenant', teamId, subject: teamId });
    await store.eraseDataKeys(teamId);
    await store.webhooks.removeOfTeam(teamId);
    await store.removeWatchedHomes({ teamId });
    return (await eraseOfTeam(teamId, why, undefined)).quoteIds.length;
  };
  return {
    eraseTeam: (teamId) => eraseTeam(teamId, 'asked'),
    async eraseQuote(teamId, quoteId) {
      await store.recordErasure({ kind: 'quote', teamId, subject: quoteId });
      return (await erase([quoteId], 'asked', teamId)).length > 0;
    },
    async eraseInsured(teamId, { criteria, isInsured }, pause) {
      const matchedBy = Object.keys(criteria).toSorted();
      const { keyId, hash } = await store.keyedHash(insuredText(teamId, criteria, matchedBy));
      await store.recordErasure({ kind: 'insured', teamId, subject: hash, matchedBy, hashKeyId: keyId });
      return eraseOfTeam(teamId, 'asked', isInsured, pause);
    },
    async eraseRemovedTeams() {
      let count = 0;
      if (teams.isRemoved === undefined) return count;
      const teamIds = new Set([
        ...(await store.teamsWithPersonalData()),
        ...(await store.webhooks.teams()),
        ...(await store.teamsWithWatchedHomes()),
        ...(await store.teamsWithDataKeys()),
      ]);
      for (const teamId of teamIds) {
        if (!(await teams.isRemoved(teamId))) continue;
        count += await eraseTeam(teamId, 'team_removed');
      }
      return count;
    },
    async eraseOld(personalDataDays) {
      await store.removeWatchedHomes({ ageMs: personalDataDays * DAY_MS });
      for (;;) {
        const quoteIds = await store.findOlderThan(personalDataDays * DAY_MS, PAGE_SIZE);
        await erase(quoteIds, 'retention');
        if (quoteIds.length < PAGE_SIZE) return;
      }
    },
  };
}

/**
 * Erases the personal data of removed teams, for a program that does not quote; a quoting service does so itself. @returns the number of
 * quotes erased.
 * @example
 * await eraseRemovedTeams({ database, teams });
 */
export async function eraseRemovedTeams(options: {
  readonly database: Database;
  readonly teams: TeamDirectory;
}): Promise<number> {
  const { database, teams } = options;
  return eraserOf(database, teams).eraseRemovedTeams();
}

/**
 * Erases the data keys, quotes, webhooks and watched homes of a team, for a program that does not quote. Other processes notice
 * within 30 seconds. @returns the number of quotes erased.
 * @example
 * await eraseTeam({ database, teamId: 'team-1' });
 */
export async function eraseTeam(options: { readonly database: Database; readonly teamId: string }): Promise<number> {
  return eraserOf(options.database, noTeams).eraseTeam(options.teamId);
}

const noTeams: TeamDirectory = { hasProducer: async () => false, appointments: async () => [] };

function eraserOf(database: Database, teams: TeamDirectory): Eraser {
  const store = new SqlQuoteStore({ database });
  return createEraser({ store, teams, inFlight: createInFlight(), listener: () => {} });
}
