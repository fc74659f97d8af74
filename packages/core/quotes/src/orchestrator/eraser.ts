import type { Database } from '@leeward/database';
import type { TeamDirectory } from '../ports/team-directory.ts';
import type { IsInsured } from '../request/insured-query.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { QuoteEvent, QuoteListener } from './quote-event.ts';

const AT_ONCE = 100;
const DAY_MS = 86_400_000;

type Why = Extract<QuoteEvent, { type: 'quotes_erased' }>['why'];

/** Erases personal data, whoever asks for it, and breaks off the calls that carry it. */
export interface Eraser {
  eraseQuote(teamId: string, quoteId: string): Promise<boolean>;
  /** @returns the quotes erased, and how many could not be read to see whose they are. */
  eraseInsured(
    teamId: string,
    isInsured: IsInsured,
  ): Promise<{ readonly quoteIds: readonly string[]; readonly unreadable: number }>;
  /** All quotes of teams that are no more. @returns how many. */
  eraseRemovedTeams(): Promise<number>;
  eraseOld(personalDataDays: number): Promise<void>;
}

export function createEraser(options: {
  readonly store: SqlQuoteStore;
  readonly teams: TeamDirectory;
  readonly inFlight: InFlight;
  readonly listener: QuoteListener;
  /** There are events of these quotes. */
  readonly wake?: (quoteIds: readonly string[]) => void;
}): Eraser {
  const { store, teams, inFlight, listener, wake } = options;

  const erase = async (quoteIds: readonly string[], why: Why, teamId?: string) => {
    const erased = await store.eraseQuotes(quoteIds);
    inFlight.lose(erased.endedRateIds);
    if (erased.endedRateIds.length > 0) wake?.(erased.quoteIds);
    if (erased.quoteIds.length > 0) listener({ type: 'quotes_erased', why, teamId, quoteIds: erased.quoteIds });
    return erased.quoteIds;
  };
  /** All of a team's that fit, page by page, so that nothing else waits for it. */
  const eraseOfTeam = async (teamId: string, why: Why, fits: IsInsured | undefined) => {
    const quoteIds: string[] = [];
    let unreadable = 0;
    for (let after = ''; ; ) {
      const page = await store.readPersonal(teamId, after, AT_ONCE);
      const chosen = page.filter(({ fields }) => fits === undefined || (fields !== undefined && fits(fields)));
      if (fits !== undefined) unreadable += page.filter(({ fields }) => fields === undefined).length;
      if (chosen.length > 0) {
        quoteIds.push(
          ...(await erase(
            chosen.map(({ id }) => id),
            why,
            teamId,
          )),
        );
      }
      if (page.length < AT_ONCE) return { quoteIds, unreadable };
      after = page.at(-1)!.id;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    eraseQuote: async (teamId, quoteId) => (await erase([quoteId], 'asked', teamId)).length > 0,
    eraseInsured: (teamId, isInsured) => eraseOfTeam(teamId, 'asked', isInsured),
    async eraseRemovedTeams() {
      let count = 0;
      if (teams.isRemoved === undefined) return count;
      const kept = new Set([...(await store.teamsWithPersonalData()), ...(await store.webhooks.teams())]);
      for (const teamId of kept) {
        if (!(await teams.isRemoved(teamId))) continue;
        await store.webhooks.removeOfTeam(teamId);
        count += (await eraseOfTeam(teamId, 'team_removed', undefined)).quoteIds.length;
      }
      return count;
    },
    async eraseOld(personalDataDays) {
      for (;;) {
        const old = await store.findOlderThan(personalDataDays * DAY_MS, AT_ONCE);
        if (old.length > 0) await erase(old, 'retention');
        if (old.length < AT_ONCE) return;
      }
    },
  };
}

/**
 * Erases the personal data of removed teams, for a program that removes teams and does not quote. A service that quotes does
 * so itself within a minute.
 *
 * @returns the number of quotes erased.
 */
export async function eraseRemovedTeams(options: {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly teams: TeamDirectory;
}): Promise<number> {
  const { database, teams } = options;
  const store = new SqlQuoteStore({ database });
  return createEraser({ store, teams, inFlight: createInFlight(), listener: () => {} }).eraseRemovedTeams();
}
