import { resolve } from 'node:path';
import type { AuditStreams } from '@leeward/accounts';
import { httpCarrierJsonSchema, ratingPlanJsonSchema } from '@leeward/carriers';
import { certificateRoutes } from '@leeward/certificate';
import { createFairScheduler, createLeeward, type HazardEventFeed, type Leeward } from '@leeward/http';
import { createNodeServer } from '@leeward/http/node';
import {
  addHazardEventMetrics,
  adminRoutes,
  countGeocodes,
  createLogger,
  createMetrics,
  createQuoteAudit,
  createSavedHomes,
  metricsRoutes,
  threadCheckers,
} from '@leeward/http-admin';
import { shippedLines } from '@leeward/lines';
import { mcpRoutes, referenceResources } from '@leeward/mcp';
import type { Quotes } from '@leeward/quotes';
import { loadWorkbench } from '@leeward/workbench';
import type { Command } from 'commander';
import { listOption } from '../accounts/list-option.ts';
import { createTokenWarnings } from '../accounts/token-warnings.ts';
import { openCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { type WatchedFolder, watchCarriers } from '../carriers/watch-carriers.ts';
import { CommandError } from '../command-error.ts';
import { demoFileAtHand, demoPath, writeDemo } from '../demo/demo-file.ts';
import { inviteDemoPeople } from '../demo/demo-people.ts';
import { fixtureResources } from '../demo/fixture-resources.ts';
import { type SandboxProvider, startSandboxProvider } from '../demo/sandbox-provider.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { welcome } from '../demo/welcome.ts';
import { openLinesOn } from '../lines/lines-on.ts';
import { nearPath } from '../near-path.ts';
import { findUnreadableFields, personalDataWarnings } from '../quotes/keeping-settings.ts';
import { auditStreamWarnings, startAuditStreams } from '../serve/audit-streams.ts';
import { endUnlessStopped } from '../serve/end-unless-stopped.ts';
import { logRules } from '../serve/log-rules.ts';
import { type MakingReady, makeRulesReady } from '../serve/make-rules-ready.ts';
import { mapPortsOf } from '../serve/open-distances.ts';
import { type Instance, openInstance } from '../serve/open-instance.ts';
import { openLines } from '../serve/open-lines.ts';
import { openQuotes, sandboxKey } from '../serve/open-quotes.ts';
import { type OpenRateLimit, openRateLimit } from '../serve/open-rate-limit.ts';
import { type ServeOptions, type ServeSettings, serveSettings } from '../serve/serve-settings.ts';
import { openSignIn } from '../serve/sign-in.ts';
import { startMetricsServer } from '../serve/start-metrics-server.ts';
import { type MakeServer, type RunningServer, startServer } from '../serve/start-server.ts';
import { openSigner } from '../signing/certificate-keys.ts';
import { readLetterFolder } from '../signing/letter-templates.ts';
import type { Terminal } from '../terminal.ts';

export function serveCommand(command: Command, terminal: Terminal): void {
  command
    .option('--config <file>', 'configuration file; leeward config lists its settings (LEEWARD_CONFIG)')
    .option('--carriers <folder>', 'folder of carriers: <carrier>/rule-set.json (LEEWARD_CARRIERS)')
    .option('--adapters <file...>', 'carrier adapters of your own, in TypeScript or JavaScript (LEEWARD_ADAPTERS)')
    .option('--host <host>', 'address to listen on (LEEWARD_HOST, default 127.0.0.1)')
    .option('--port <port>', 'port to listen on, 0 for any (PORT, default 3000)')
    .addOption(
      listOption(
        '--geocoder <names>',
        'who on a network finds addresses that are not imported: census (free, no key) … (LEEWARD_GEOCODERS)',
      ),
    )
    .option(
      '--coastline <file...>',
      'coastlines to measure to, the first first: files of coast build, us for the shipped one (LEEWARD_COASTLINES)',
    )
    .option('--workbench', 'have the page for people at / (LEEWARD_WORKBENCH; a demo has)')
    .option('--watch', 'read the folder of carriers again when its files change')
    .option(
      '--seed',
      'put the carriers of the folder in force in the registry, where that is empty; it goes on from there',
    )
    .option('--demo', 'seed invented carriers and a key, and show what to paste')
    .option('--sign-in', 'with --demo: start a sandbox where its people sign in, on another port')
    .option('--allow-demo', 'let a demo listen on another host or use a database')
    .action((options: ServeOptions) => serve(serveSettings(options, terminal), terminal));
}

async function serve(settings: ServeSettings, terminal: Terminal): Promise<void> {
  const carriersFolder = settings.carriers ?? demoCarriersFolder();
  const scheduler = createFairScheduler(settings.overload);
  const logger = createLogger({ level: settings.logLevel, destination: terminal.log });
  const { home, lines: others, modules: lineModules } = await openLinesOn(settings.lines, terminal.folder);
  const openedLines = await openLines(others, settings.carriers, terminal.folder);
  const carrierKeys = new Set(settings.demo ? [sandboxKey] : []);
  const instance = await openInstance(await openCatalog(carriersFolder, terminal.folder, { home, others }), {
    ...settings,
    openLines: openedLines,
    lineModules,
    carrierKeys,
    onRules: logRules(logger),
  });
  const { rules } = instance;
  const metrics = createMetrics();
  addHazardEventMetrics(metrics, instance.hazardEvents);
  if (settings.seed) await seedRegistry(instance, terminal);
  const { rateLimitUrl, stopDeadlineMs } = settings;
  let quotes: Quotes | undefined;
  let rateLimit: OpenRateLimit | undefined;
  let metricsServer: RunningServer | undefined;
  let makeReady: MakingReady | undefined;
  let stopBy = performance.now();
  let watched: WatchedFolder | undefined;
  let auditStreams: AuditStreams | undefined;
  let sandbox: SandboxProvider | undefined;
  try {
    rateLimit = await openRateLimit(rateLimitUrl, (err) => logger.warn({ err }, 'rate_limit_trouble'));
    quotes = await openQuotes(
      { ...instance, scheduler, metrics, logger },
      {
        ...settings,
        carriersFolder: resolve(terminal.folder, carriersFolder),
        lineFolders: openedLines.map((each) => each.carriersFolder),
        folder: terminal.folder,
        carrierKeys,
      },
    );
    const certificates = openCertificates(settings, instance);
    const fixedWarnings = [
      ...(settings.demo ? [] : personalDataWarnings(settings.variables)),
      ...certificates.warnings,
    ];
    for (const { code, message } of fixedWarnings) logger.warn({ code }, message);
    const unreadable = await findUnreadableFields(instance.database, settings.variables);
    if (unreadable !== undefined)
      logger.error({ code: 'fields_unreadable' }, `No carrier is called. ${unreadable.message}`);
    await quotes.start({ work: settings.askCarriers && unreadable === undefined });
    const { accounts, distance } = instance;
    const keys = settings.demo
      ? await seedDemo(
          accounts,
          settings.dataFolder,
          [...rules.latest.carriers.map(({ key }) => key), sandboxKey],
          instance.lines.flatMap(({ catalog }) => catalog.latest.carriers.map(({ key }) => key)),
        )
      : undefined;
    if (settings.sandbox && keys) {
      sandbox = await startSandboxProvider(settings.port === 0 ? 0 : settings.port + 1, terminal.folder);
      await inviteDemoPeople(accounts, keys, sandbox.issuer);
    }
    const provider = sandbox ?? settings.signIn;
    const redirectUris = [...(settings.signIn?.redirectUris ?? [])];
    const signIn =
      provider &&
      (await openSignIn({ name: sandbox && 'the sandbox', ...provider, redirectUris }, accounts, (message) =>
        logger.warn({ code: 'sign_in_unavailable' }, message),
      ));
    const { workbench: hasPage, keepSignIn, demo: trustLinks } = settings;
    const workbench = hasPage
      ? await loadWorkbench({ keepSignIn, trustLinks, ...(signIn && { signIn: { issuerName: signIn.issuerName } }) })
      : undefined;
    const tokenWarnings = createTokenWarnings(accounts);
    const leeward: Leeward = createLeeward({
      directory: accounts.directory,
      underwriting: instance.underwriting,
      lines: instance.lines,
      distance: { ...distance, ...(distance.geocoder && { geocoder: countGeocodes(distance.geocoder, metrics) }) },
      quoting: {
        quotes,
        eventStreams: settings.eventStreams,
        ...(instance.distance.gazetteer && { gazetteer: instance.distance.gazetteer }),
        audit: createQuoteAudit(accounts),
        organizationOf: async (teamId) => (await accounts.directory.team(teamId))?.organizationId,
        savedHome: createSavedHomes(accounts.registry),
      },
      schemas: { 'rating-plan-1.json': ratingPlanJsonSchema, 'http-carrier-1.json': httpCarrierJsonSchema },
      observers: [metrics.observer],
      warnings: async () => [
        ...fixedWarnings,
        ...hazardEventWarnings(instance.hazardEvents),
        ...auditStreamWarnings((await auditStreams?.statuses()) ?? []),
        ...(settings.demo ? [] : await unapprovedRules(instance.accounts)),
        ...(settings.demo ? [] : await tokenWarnings()),
        ...(signIn?.warnings() ?? []),
      ],
      ...(workbench && { workbench }),
      announcedLines: [...shippedLines.keys()],
      routes: [
        ...adminRoutes({ accounts, registry: accounts.registry, quotes }),
        ...(signIn ? [signIn.routes] : []),
        ...certificates.routes,
        metricsRoutes(metrics),
        mcpRoutes({
          service: () => leeward,
          resources: [
            ...referenceResources([home, ...others.map(({ vocabulary }) => vocabulary)]),
            ...fixtureResources(),
          ],
          lineModules,
          onError: (err) => logger.error({ err }, 'mcp_failed'),
        }),
      ],
      readiness: {
        database: () => instance.database.checkWritable(),
        async quotes() {
          await quotes?.ready();
          // Calls no carrier until the next start, even if the stored data becomes readable.
          if (unreadable !== undefined) throw unreadable;
        },
      },
      rateLimit: settings.rateLimit,
      organizationRateLimit: settings.organizationRateLimit,
      itemLimit: settings.itemLimit,
      addressRateLimit: settings.addressRateLimit,
      ...(settings.isTrustedProxy && { isTrustedProxy: settings.isTrustedProxy }),
      rateLimitStore: rateLimit.store,
      overload: settings.overload,
      scheduler,
      requestTimeoutMs: settings.requestTimeoutMs,
      logger,
      // People read a demo's responses.
      indentAnswers: settings.demo,
    });
    if (settings.auditStream !== undefined) {
      const { auditStream, variables } = settings;
      auditStreams = startAuditStreams({ ...instance, metrics, logger }, auditStream, variables);
    }
    const stopAsked = terminal.stopAsked();
    if (settings.metricsPort !== undefined) {
      metricsServer = await startMetricsServer({ metrics }, settings.host, settings.metricsPort);
    }
    const makeServer: MakeServer = (options, onRequest) => createNodeServer(leeward, options, onRequest);
    const server = await startServer(makeServer, settings.host, settings.port);
    // The port was unknown until now.
    if (sandbox) redirectUris.push(`${server.url}/`);
    makeReady = makeRulesReady(rules.latest, (err) => logger.warn({ err }, 'rules_not_ready'));
    if (settings.watch) {
      watched = watchCarriers(carriersFolder, terminal.folder, {
        lines: openedLines.map(({ line }) => line),
        home,
        isShared: settings.carriers !== undefined,
        checker: threadCheckers(lineModules)('operator'),
        changed: async (catalog, line) => {
          const followed = instance.lines.find((each) => each.line === line);
          await (followed?.catalog ?? rules).replaceBase(catalog);
        },
        failed: (error) => logger.warn({ err: error }, 'rules_not_served'),
      });
    }
    if (keys === undefined) {
      terminal.write(`Leeward is up at ${server.url} with ${rules.latest.carriers.length} carriers.\n`);
    } else {
      writeDemo(settings.dataFolder, { ...keys, url: server.url });
      terminal.write(
        welcome({
          url: server.url,
          keys,
          hasPage,
          carriers: rules.latest.carriers.length,
          demoFile: nearPath(demoPath(settings.dataFolder), terminal.folder),
          homeFile: demoFileAtHand('home', terminal.folder),
          sandboxUrl: sandbox?.issuer,
        }),
      );
    }
    // Opened before it is requested: from source it is built first. A request reports a failure.
    workbench?.file('index.html').catch(() => {});
    if (metricsServer) terminal.write(`Metrics are at ${metricsServer.url}/metrics.\n`);
    const reason = await stopAsked;
    terminal.writeError(`${reason}: answering what was accepted, then stopping.\n`);
    endUnlessStopped(stopDeadlineMs, terminal);
    stopBy = performance.now() + stopDeadlineMs;
    // Followers of a quote reconnect to another process, or to this one after its restart.
    await quotes.endEvents();
    await server.stop(stopDeadlineMs);
  } finally {
    watched?.stop();
    await auditStreams?.stop();
    makeReady?.stop();
    await quotes?.stop({ graceMs: Math.max(0, stopBy - performance.now()) });
    rateLimit?.close();
    await sandbox?.stop();
    await instance.close();
    await metricsServer?.stop(0);
  }
}

/** Without a key that all processes share, there are no certificates. */
function openCertificates(settings: ServeSettings, { underwriting, distance }: Instance) {
  const { issuer, lettersFolder } = settings.certificates;
  const opened = openSigner({ ...settings, ...settings.certificates });
  const lettersOf = readLetterFolder(lettersFolder);
  if ('missing' in opened) return { routes: [], warnings: [{ code: 'certificates_off', message: opened.missing }] };
  const map = mapPortsOf(distance);
  const ports = { signer: opened.signer, underwriting, distance, lettersOf, issuerOf: () => issuer };
  return { routes: [certificateRoutes({ ...ports, ...(map ? { map } : {}) })], warnings: [] };
}

/** Events that are unknown, or that a source stopped confirming. */
function hazardEventWarnings({ latest: { problem } }: HazardEventFeed) {
  return problem === undefined ? [] : [{ code: 'hazard_events_unconfirmed', message: problem }];
}

/** Rules that one person alone put in force though four eyes are on. */
async function unapprovedRules({ registry }: Instance['accounts']) {
  const { carriers, overrides } = await registry.countUnapproved();
  if (carriers + overrides === 0) return [];
  const message = `${carriers} rule sets and ${overrides} overrides of organizations are in force that no other person approved. LEEWARD_RULES_DIRECT=false refuses more of them.`;
  return [{ code: 'rules_unapproved', message }];
}

/** Makes the carriers of the folder the registry's own, once. */
async function seedRegistry({ accounts, rules, lines }: Instance, terminal: Terminal): Promise<void> {
  const carriers = [rules, ...lines.map(({ catalog }) => catalog)].flatMap(({ latest }) => latest.carriers);
  const twice = carriers.find(({ key }, index) => carriers.findIndex((each) => each.key === key) < index);
  if (twice)
    throw new CommandError(`${twice.key} has rule sets for two lines: use a separate carrier key for each line.`);
  const versions = carriers.flatMap((carrier) => carrier.versions.map(({ ruleSet }) => ruleSet));
  const seeded = await accounts.registry.seed(versions, { system: 'serve --seed' });
  if (seeded > 0) terminal.write(`The registry was empty; ${seeded} versions of the folder are in force in it.\n`);
}
