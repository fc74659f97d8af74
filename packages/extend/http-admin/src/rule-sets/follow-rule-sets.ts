import { type Catalog, checkEntriesWith, RuleSetError } from '@leeward/engine';
import { createTurn, type Turn } from '@leeward/engine/compiled';
import type { ServedCatalog } from '@leeward/http';
import type { PublishedRuleSet, RuleSetFeed, RuleSetsInForce } from '@leeward/registry';
import { isObject } from '@leeward/terms';
import { createPolling, DEFAULT_MAX_AGE_MS, DEFAULT_POLL_MS } from '../follow/polling.ts';
import { changeTo, type RuleSetVersion, targetVersions } from './compose-rule-sets.ts';
import { type CheckerFor, threadCheckers } from './thread-checkers.ts';

const DAY_MS = 86_400_000;
/** Tenant of these checks. */
const REGISTRY = 'operator';

/** A registry, and the carriers without it. */
export interface FollowOptions {
  /** `registry.feed`. */
  readonly feed: RuleSetFeed;
  /** Carriers of one line. Those of the registry replace them by key; other lines are ignored. */
  readonly base: Catalog;
  /** If omitted, shared worker threads; hosts without threads give `() => syncChecker`. */
  readonly checkerFor?: CheckerFor;
  /** In ms. @default 500 */
  readonly pollMs?: number;
  /**
   * Maximum age of the last poll, in ms. After a suspension `current` polls first.
   *
   * @default 1_500
   */
  readonly maxAgeMs?: number;
  /** Called for unreadable or invalid rules; the previous ones stay. If omitted, nothing is reported. */
  readonly onError?: (error: unknown) => void;
  /** Called when rules are in service. If omitted, nothing is reported. */
  readonly onPublished?: (catalog: Catalog, number: number) => void;
  /** Monotonic clock, in ms. @default performance.now */
  readonly clock?: () => number;
  /** Dates for which rules are compiled ahead. If omitted, the system's clock. */
  readonly now?: () => Date;
}

/** A catalog with the rules in force. */
export interface FollowedCatalog extends ServedCatalog {
  /** Publication in service. */
  readonly number: number;
  /** Resolves when the rules are in service, then polls until `stop`. Rejects if the registry cannot be read. */
  start(): Promise<void>;
  /** Resolves when the base is in service. Rejects with a `RuleSetError` if it is invalid. */
  replaceBase(base: Catalog): Promise<void>;
  stop(): void;
}

/**
 * Follows the registry. After a publication the changed carriers are compiled, while the old catalog answers; then it is replaced as a
 * whole. Decisions never use rules whose last poll is older than `maxAgeMs`.
 *
 * @example
 * const catalog = followRuleSets({ feed: registry.feed, base });
 * await catalog.start();
 * createLeeward({ directory, underwriting: { catalog } });
 */
export function followRuleSets(options: FollowOptions): FollowedCatalog {
  const { feed, checkerFor = threadCheckers(), pollMs = DEFAULT_POLL_MS, maxAgeMs = DEFAULT_MAX_AGE_MS } = options;
  const { clock = () => performance.now(), now = () => new Date(), onError = () => {} } = options;
  let { base } = options;
  let latest = base;
  let served: ReadonlyMap<string, readonly RuleSetVersion[]> = targetVersions(base, nothing);
  let number = 0;
  let baseChanged = false;
  /** Invalid publications as `key id`, each reported once. */
  const refused = new Set<string>();
  const ofLine = createLineFilter(base.vocabulary.line);
  const isCurrent = async () => (await feed.number()) === number && !baseChanged;
  const read = async () => {
    baseChanged = false;
    const inForce = await ofLine(await feed.inForce());
    await serve(targetVersions(base, inForce));
    await saveComposedFiles(feed, latest, inForce).catch(onError);
    number = inForce.number;
    options.onPublished?.(latest, number);
  };
  const polling = createPolling({ isCurrent, read, pollMs, maxAgeMs, clock, onError });
  const serve = async (target: Map<string, RuleSetVersion[]>): Promise<void> => {
    for (;;) {
      const change = await changeTo(target, served, latest.carriers);
      if (change.put.length + change.remove.length === 0) return;
      try {
        const put = await checkEntriesWith(checkerFor(REGISTRY), change.put, latest.options);
        const next = latest.update({ ...change, put });
        for (const date of usualDates(now()))
          await next.prepare(
            date,
            undefined,
            createStoppableTurn(() => polling.isStopped),
          );
        latest = next;
        served = target;
        return;
      } catch (error) {
        if (!(error instanceof RuleSetError)) throw error;
        // These carriers keep their versions.
        const keys = new Set(error.faults.map(({ source }) => source.split(' ')[0]!));
        if (keys.size === 0) throw error;
        for (const key of keys) {
          const ids = `${key} ${(target.get(key) ?? []).map(({ id }) => id).join()}`;
          if (!refused.has(ids)) onError(error);
          refused.add(ids);
          const before = served.get(key);
          if (before === undefined) target.delete(key);
          else target.set(key, [...before]);
        }
      }
    }
  };
  return {
    get latest() {
      return latest;
    },
    get number() {
      return number;
    },
    current: () => polling.whenFresh(() => latest),
    start: () => polling.start(),
    async replaceBase(next) {
      await polling.settled();
      base = next;
      baseChanged = true;
      await polling.pollOnce();
    },
    stop: () => polling.stop(),
  };
}

const nothing = { number: 0, carriers: new Map(), moratoria: [] } as const;

/** Today in every time zone, and in 30 days. */
function usualDates(now: Date): string[] {
  const dates = [now.getTime() - DAY_MS / 2, now.getTime(), now.getTime() + 30 * DAY_MS];
  return [...new Set(dates.map((ms) => new Date(ms).toISOString().slice(0, 10)))];
}

/** The compilation ends if it is stopped. */
function createStoppableTurn(isStopped: () => boolean): Turn {
  const turn = createTurn();
  const wasStopped = isStopped();
  return {
    rest() {
      if (isStopped() && !wasStopped) throw new Error('Stopped.');
      return turn.rest();
    },
  };
}

/** A carrier without versions is withdrawn in every line. */
function createLineFilter(line: string): (inForce: RuleSetsInForce) => Promise<RuleSetsInForce> {
  const lineBySha256 = new Map<string, unknown>();
  const lineOf = async ({ sha256, read }: PublishedRuleSet): Promise<unknown> => {
    if (!lineBySha256.has(sha256)) {
      const file = await read();
      lineBySha256.set(sha256, isObject(file) ? (file['line'] ?? 'home') : 'home');
    }
    return lineBySha256.get(sha256);
  };
  return async (inForce) => {
    const carriers = new Map<string, readonly PublishedRuleSet[]>();
    for (const [key, versions] of inForce.carriers) {
      const here: PublishedRuleSet[] = [];
      for (const each of versions) if ((await lineOf(each)) === line) here.push(each);
      if (here.length > 0 || versions.length === 0) carriers.set(key, here);
    }
    return { ...inForce, carriers };
  };
}

/** Decisions refer to files with moratoria by hash. */
async function saveComposedFiles(feed: RuleSetFeed, catalog: Catalog, { moratoria }: RuleSetsInForce): Promise<void> {
  if (moratoria.length === 0) return;
  const isStopped = (key: string) => moratoria.some(({ carrierKeys }) => carrierKeys?.includes(key) ?? true);
  const versions = catalog.carriers.filter(({ key }) => isStopped(key)).flatMap((carrier) => carrier.versions);
  await feed.keepFiles(versions.map(({ ruleSet: { sha256, file } }) => ({ sha256, file })));
}
