import { type Fault, isObject, type JsonObject, quoteValue } from '@leeward/terms';
import type { HomeVerdicts } from '../ports/home-verdicts.ts';
import { presentWatchedHome, type WatchedHomeList, type WatchedHomeView } from '../present/watched-home.ts';
import { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createUuid } from '../request/uuid.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { readPosition } from './operator-actions.ts';

/** Homes that are evaluated again when rules or events change. Methods return undefined, or false, for homes of other teams. */
export interface WatchedHomes {
  /** Evaluates the home and watches it. @throws {InvalidQuoteRequestError} with all faults */
  create(
    teamId: string,
    request: {
      readonly reference: string;
      readonly home: unknown;
      /** The home is removed when the personal data of this quote is erased. Either identifier. @default none */
      readonly quoteRequestId?: string | undefined;
    },
  ): Promise<WatchedHomeView>;
  /** Newest first. @throws {InvalidQuoteRequestError} if `cursor` is malformed */
  list(
    teamId: string,
    options?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<WatchedHomeList>;
  /** @param options.showsHome Adds the home as it was sent. @default false */
  read(
    teamId: string,
    id: string,
    options?: { readonly showsHome?: boolean | undefined },
  ): Promise<WatchedHomeView | undefined>;
  /** Also after a restore, as an erasure. */
  remove(teamId: string, id: string): Promise<boolean>;
}

const MAX_PER_TEAM = 10_000;
const MAX_REFERENCE_LENGTH = 200;
const DEFAULT_PAGE = 50;

export function createWatchedHomes(options: {
  readonly store: SqlQuoteStore;
  readonly verdicts: HomeVerdicts;
  readonly nowMs: () => number;
  readonly personalDataDays: number;
  /** @default 10_000 */
  readonly maxPerTeam?: number | undefined;
}): WatchedHomes {
  const { store, verdicts: source, nowMs, personalDataDays: days, maxPerTeam = MAX_PER_TEAM } = options;
  const read = async (teamId: string, id: string, showsHome: boolean) => {
    if (!/^[\w-]{1,64}$/.test(id)) return undefined;
    const [home] = await store.readWatchedHomes({ teamId, id, limit: 1 });
    return home && presentWatchedHome(home, { days, showsHome });
  };
  return {
    async create(teamId, { reference, home, quoteRequestId }) {
      const faults = [...referenceFaults(reference), ...homeFaults(home)];
      if (faults.length > 0) throw new InvalidQuoteRequestError(faults);
      const quote = quoteRequestId === undefined ? undefined : await store.readQuote(teamId, quoteRequestId);
      if (quoteRequestId !== undefined && quote === undefined) throw unknownQuote();
      const before = await source.stamp(teamId);
      const verdicts = await source.evaluate(teamId, home as JsonObject);
      // If they changed meanwhile, the next pass evaluates the home.
      const stamp = before === (await source.stamp(teamId)) ? before : undefined;
      const id = createUuid(nowMs());
      const creation = await store.createWatchedHome(
        { id, teamId, reference, home: home as JsonObject, quoteId: quote?.id, verdicts, stamp },
        maxPerTeam,
      );
      const created = creation === 'created' ? await read(teamId, id, false) : undefined;
      if (created) return created;
      if (creation !== 'too_many') throw unknownQuote();
      const message = `The team watches ${maxPerTeam} homes, the maximum; remove one first.`;
      throw new InvalidQuoteRequestError([{ path: '', code: 'too_many_watched_homes', message }]);
    },
    async list(teamId, { limit = DEFAULT_PAGE, cursor } = {}) {
      const before = cursor === undefined ? undefined : readPosition(cursor, 'cursor');
      const rows = await store.readWatchedHomes({ teamId, before, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return {
        watched_homes: page.map((home) => presentWatchedHome(home, { days, showsHome: false })),
        next: last === undefined ? null : `${last.createdAt}_${last.id}`,
      };
    },
    read: (teamId, id, { showsHome = false } = {}) => read(teamId, id, showsHome),
    async remove(teamId, id) {
      if ((await read(teamId, id, false)) === undefined) return false;
      // First, so that an interrupted removal is replayed after a restore.
      await store.recordErasure({ kind: 'home', teamId, subject: id });
      return (await store.removeWatchedHomes({ teamId, ids: [id] })) > 0;
    },
  };
}

function unknownQuote(): InvalidQuoteRequestError {
  const message =
    'quote_request_id is not a quote of this team with personal data; give the id of one that is not erased, or omit it.';
  return new InvalidQuoteRequestError([{ path: '/quote_request_id', code: 'unknown_quote', message }]);
}

function referenceFaults(reference: string): Fault[] {
  const { length } = reference.trim();
  if (length > 0 && reference.length <= MAX_REFERENCE_LENGTH) return [];
  const what = length === 0 ? 'is empty' : `has ${reference.length} characters`;
  const message = `reference ${what}; give 1 to ${MAX_REFERENCE_LENGTH} characters by which you know the home.`;
  return [{ path: '/reference', code: 'invalid_value', message }];
}

function homeFaults(home: unknown): Fault[] {
  if (!isObject(home)) {
    return [
      {
        path: '/home',
        code: 'invalid_type',
        message: `home is ${quoteValue(home)}; give an object with the fields of a home.`,
      },
    ];
  }
  if (home['as_of'] == null) return [];
  const message = 'as_of has no place in a watched home, which is evaluated by the rules of each day; omit it.';
  return [{ path: '/home/as_of', code: 'unknown_field', message }];
}
