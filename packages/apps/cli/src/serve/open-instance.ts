import { accountsMigrations, createSqlStore } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import type { Catalog } from '@leeward/engine';
import type { LineSource } from '@leeward/engine/check-thread';
import type { HazardEventFeed, LinePorts, UnderwritingPorts } from '@leeward/http';
import {
  captureDecisions,
  createAccountCatalogs,
  type FollowedCatalog,
  followRuleSets,
  type SavingCapture,
  threadCheckers,
} from '@leeward/http-admin';
import { quoteMigrations } from '@leeward/quotes';
import { createRuleSetFeed, type SavedDecisionLimits } from '@leeward/registry';
import { type KeptAccounts, keptAccounts } from '../accounts/kept-accounts.ts';
import { makeFolder, nameDataFolder } from '../make-folder.ts';
import { openStore } from '../store/open-store.ts';
import { type EventSourceSettings, openHazardEvents } from './event-source.ts';
import type { GeocoderSettings } from './geocoder-settings.ts';
import { type OpenDistances, openDistances } from './open-distances.ts';
import { type FollowedLine, followLines, type OpenLine } from './open-lines.ts';

export interface InstanceSettings {
  /** `sqlite:path` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Data folder; created if missing. */
  readonly dataFolder: string;
  /** Environment of tokens: `live`, `demo`. */
  readonly environment: string;
  readonly operatorToken: string | undefined;
  /** Maximum lifetime of new tokens in days. @default unlimited */
  readonly tokenMaxDays?: number | undefined;
  /** Default: offline geocoders. */
  readonly geocoders?: GeocoderSettings;
  /** Source of hazards. Default: none. */
  readonly hazards?: { readonly baseUrl: string | undefined } | undefined;
  /** Default: the included coastline. */
  readonly coastlines?: readonly string[];
  /** Carriers without rules that may be appointed; updated later. */
  readonly carrierKeys?: ReadonlySet<string>;
  /** Share of decisions saved. @default none */
  readonly captureShare?: number;
  readonly savedDecisions?: SavedDecisionLimits;
  /** Hazard events in addition to the operator's. @default none */
  readonly eventSource?: EventSourceSettings | undefined;
  /** In addition to homes, with their modules. */
  readonly openLines?: readonly OpenLine[];
  readonly lineModules?: readonly LineSource[];
  readonly onRules?: RulesListener;
}

export interface RulesListener {
  failed(error: unknown): void;
  published(catalog: Catalog, number: number): void;
  /** Hazard events could not be read. */
  eventsFailed(error: unknown): void;
  /** Decisions could not be saved. */
  notSaved(error: unknown): void;
}

export interface Instance {
  readonly database: Database;
  readonly accounts: KeptAccounts;
  /** Rules of the registry, before those of the folder. */
  readonly rules: FollowedCatalog;
  readonly underwriting: UnderwritingPorts;
  readonly hazardEvents: HazardEventFeed;
  /** In addition to homes. */
  readonly lines: readonly (LinePorts & FollowedLine)[];
  readonly distance: OpenDistances;
  /** Flushes and closes. */
  close(): Promise<void>;
}

export async function openInstance(base: Catalog, settings: InstanceSettings): Promise<Instance> {
  makeFolder(settings.dataFolder, nameDataFolder);
  const database = await openStore(settings.databaseUrl, [accountsMigrations, quoteMigrations]);
  const checkerFor = threadCheckers(settings.lineModules);
  const following = {
    checkerFor,
    feed: createRuleSetFeed(createSqlStore(database)),
    onError: (error: unknown) => settings.onRules?.failed(error),
    onPublished: (catalog: Catalog, number: number) => settings.onRules?.published(catalog, number),
  };
  const rules = followRuleSets({ ...following, base });
  let lines: readonly FollowedLine[];
  let hazardEvents: HazardEventFeed | undefined;
  try {
    hazardEvents = await openHazardEvents(database, settings.eventSource, (error) =>
      settings.onRules?.eventsFailed(error),
    );
    await rules.start();
    lines = await followLines(settings.openLines ?? [], following);
  } catch (error) {
    hazardEvents?.close();
    rules.stop();
    await database.close();
    throw error;
  }
  const accounts = keptAccounts(database, rules, { ...settings, lines });
  const saved = keepDecisions(accounts, settings);
  const capture = saved.capture && { capture: saved.capture };
  return {
    database,
    accounts,
    rules,
    hazardEvents,
    distance: await openDistances(settings),
    underwriting: {
      catalog: rules,
      organizations: createAccountCatalogs(rules, accounts.directory, { checkerFor }),
      hazardEvents,
      ...capture,
    },
    lines: lines.map(({ line, catalog }) => ({
      line,
      catalog,
      organizations: createAccountCatalogs(catalog, accounts.directory, { checkerFor }),
      hazardEvents,
      ...capture,
    })),
    async close() {
      hazardEvents.close();
      for (const { catalog } of [{ catalog: rules }, ...lines]) catalog.stop();
      await saved.stop();
      await accounts.settle();
      await database.close();
    },
  };
}

const HOUR_MS = 3_600_000;

/** Saves a share of decisions, and deletes expired ones every hour. */
function keepDecisions(
  { registry: { savedDecisions } }: KeptAccounts,
  { captureShare = 0, onRules }: InstanceSettings,
) {
  const onError = (error: unknown) => onRules?.notSaved(error);
  const forgetOld = () => void savedDecisions.forgetOld().catch(onError);
  forgetOld();
  const timer = setInterval(forgetOld, HOUR_MS);
  timer.unref();
  const { save } = savedDecisions;
  const capture: SavingCapture | undefined =
    captureShare > 0 ? captureDecisions({ save, share: captureShare, onError }) : undefined;
  return {
    capture,
    async stop() {
      clearInterval(timer);
      await capture?.settle();
    },
  };
}
