import { resolve } from 'node:path';
import { accountsMigrations, createSqlStore } from '@leeward/accounts';
import type { HazardEventFeed } from '@leeward/http';
import {
  addHazardEventMetrics,
  createAccountCatalogs,
  createLogger,
  createMetrics,
  followRuleSets,
} from '@leeward/http-admin';
import { quoteMigrations } from '@leeward/quotes';
import { createRuleSetFeed } from '@leeward/registry';
import { keptAccounts } from '../accounts/kept-accounts.ts';
import { openCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { CommandError } from '../command-error.ts';
import { openLinesOn } from '../lines/lines-on.ts';
import { findUnreadableFields, personalDataWarnings } from '../quotes/keeping-settings.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { openStore } from '../store/open-store.ts';
import type { Terminal } from '../terminal.ts';
import { endUnlessStopped } from './end-unless-stopped.ts';
import { openHazardEvents } from './event-source.ts';
import { logRules } from './log-rules.ts';
import { openDistances } from './open-distances.ts';
import { followLines, openLines } from './open-lines.ts';
import { openQuotes, sandboxKey } from './open-quotes.ts';
import { readServeSettings, type ServeOptions } from './serve-settings.ts';
import { startMetricsServer } from './start-metrics-server.ts';
import type { RunningServer } from './start-server.ts';

/** `worker`: calls carriers for accepted quotes until stopped. */
export async function workForServices(options: ServeOptions, usualGraceMs: number, terminal: Terminal): Promise<void> {
  const { serve: settings, settings: all, faults } = readServeSettings(options, terminal);
  refuseFaults(faults);
  const isUsual = all.inForce('stop_deadline_ms')?.source === 'default';
  const graceMs = isUsual ? usualGraceMs : settings.stopDeadlineMs;
  const carriers = settings.carriers ?? demoCarriersFolder();
  const { home, lines: others } = await openLinesOn(settings.lines, terminal.folder);
  const openedLines = await openLines(others, settings.carriers, terminal.folder);
  const base = await openCatalog(carriers, terminal.folder, { home, others });
  const database = await openStore(settings.databaseUrl, [accountsMigrations, quoteMigrations]);
  const logger = createLogger({ level: settings.logLevel, destination: terminal.log });
  const feed = createRuleSetFeed(createSqlStore(database));
  const { failed: onError, published: onPublished, eventsFailed } = logRules(logger);
  const rules = followRuleSets({ feed, base, onError, onPublished });
  let followed: Awaited<ReturnType<typeof followLines>> = [];
  let hazardEvents: HazardEventFeed | undefined;
  try {
    const carrierKeys = new Set(settings.demo ? [sandboxKey] : []);
    const unreadable = await findUnreadableFields(database, settings.variables);
    if (unreadable !== undefined) throw new CommandError(unreadable.message);
    await rules.start();
    hazardEvents = await openHazardEvents(database, settings.eventSource, eventsFailed);
    followed = await followLines(openedLines, { feed, onError, onPublished });
    const accounts = keptAccounts(database, rules, { ...settings, lines: followed, carrierKeys });
    const underwriting = {
      catalog: rules,
      organizations: createAccountCatalogs(rules, accounts.directory),
      hazardEvents,
    };
    const { folder } = terminal;
    const lines = followed.map(({ line, catalog }) => ({
      line,
      catalog,
      organizations: createAccountCatalogs(catalog, accounts.directory),
    }));
    const lineFolders = openedLines.map((each) => each.carriersFolder);
    const files = { carriersFolder: resolve(folder, carriers), lineFolders, folder };
    const distance = await openDistances(settings);
    const metrics = createMetrics();
    addHazardEventMetrics(metrics, hazardEvents);
    const quotes = await openQuotes(
      { database, accounts, underwriting, lines, distance, metrics, logger },
      { ...settings, ...files, carrierKeys },
    );
    if (!settings.demo) {
      for (const { code, message } of personalDataWarnings(settings.variables)) logger.warn({ code }, message);
    }
    const stopAsked = terminal.stopAsked();
    let watched: RunningServer | undefined;
    try {
      await quotes.start();
      if (settings.metricsPort !== undefined) {
        const isReady = () => quotes.ready();
        watched = await startMetricsServer({ metrics, isReady }, settings.host, settings.metricsPort);
      }
      terminal.write(`A Leeward worker is up: quotes of ${database.location}.\n`);
      if (watched) terminal.write(`/healthz, /readyz and /metrics are at ${watched.url}.\n`);
      const reason = await stopAsked;
      terminal.writeError(`${reason}: waiting for running carrier calls, then stopping.\n`);
      endUnlessStopped(graceMs, terminal);
    } finally {
      await quotes.stop({ graceMs });
      await watched?.stop(0);
    }
  } finally {
    hazardEvents?.close();
    for (const { catalog } of [{ catalog: rules }, ...followed]) catalog.stop();
    await database.close();
  }
}
