import { join } from 'node:path';
import type { Accounts } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import type { Decider } from '@leeward/engine';
import {
  catalogStamp,
  createClosureSource,
  createHomeVerdicts,
  createVerdictSource,
  type DistancePorts,
  type FairScheduler,
  type LinePorts,
  organizationTenant,
  quotedLine,
  servedCatalog,
  traceCarrier,
  tracePort,
  traceQueue,
  type UnderwritingPorts,
} from '@leeward/http';
import { createAccountTeams, type createLogger, createQuoteMetrics, type Metrics } from '@leeward/http-admin';
import {
  createQuotes,
  createSandboxCarrier,
  type DocumentOptions,
  type Quotes,
  type VerdictSource,
} from '@leeward/quotes';
import type { KeptAccounts } from '../accounts/kept-accounts.ts';
import { readCarrierAdapters } from '../carriers/carrier-adapters.ts';
import { loadOwnAdapters } from '../carriers/own-adapters.ts';
import { carrierSecrets } from '../quotes/carrier-secrets.ts';
import { type VerdictsWithoutRules, verdictsWithoutRules } from '../quotes/carriers-without-rules.ts';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import { createQuoteLog } from '../quotes/log-quotes.ts';
import { openQueue } from '../quotes/open-queue.ts';
import { loadOwnQueue } from '../quotes/own-queue.ts';

export const sandboxKey = 'sandbox';
/** With an equal lease margin, leases of a stopped worker are free after 30 s. */
const SANDBOX_DEADLINE_MS = 15_000;

export interface QuoteSettings {
  /** `postgres://…`: pg-boss; `redis://…`: BullMQ; otherwise in this process. */
  readonly queueUrl: string | undefined;
  /** Absolute path of a custom queue, instead of `queueUrl`. */
  readonly queueModule?: string | undefined;
  readonly dataFolder: string;
  readonly demo: boolean;
  /** Folder of carriers: `<carrier>/rating-plan.json` or `<carrier>/http-carrier.json` next to their rules. */
  readonly carriersFolder: string;
  /** Separate folders of other lines. */
  readonly lineFolders?: readonly string[];
  /** Absolute paths of adapters. @default none */
  readonly adapters?: readonly string[];
  /** Base of file names in faults. */
  readonly folder: string;
  /** Receives carriers without rules, which may be appointed. */
  readonly carrierKeys?: Set<string>;
  /** Limits of documents. @default those of quoting */
  readonly documents?: DocumentOptions | undefined;
  /** Variables for personal data and secrets. @default none */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

interface QuotePorts {
  readonly database: Database;
  readonly accounts: KeptAccounts;
  readonly underwriting: UnderwritingPorts;
  /** In addition to homes. */
  readonly lines?: readonly LinePorts[];
  readonly distance: DistancePorts;
  /** Scheduler of rules. @default a separate one */
  readonly scheduler?: FairScheduler;
  readonly metrics: Metrics;
  readonly logger: ReturnType<typeof createLogger>;
}

/** Opens quoting with the carriers of the folders, and a sandbox carrier in a demo. */
export async function openQuotes(
  { database, accounts, underwriting, lines = [], distance, scheduler, metrics, logger }: QuotePorts,
  settings: QuoteSettings,
): Promise<Quotes> {
  const {
    queueUrl,
    queueModule,
    dataFolder,
    demo,
    variables = {},
    lineFolders = [],
    adapters = [],
    documents,
  } = settings;
  const { carrierKeys = new Set(), ...files } = settings;
  const rulesOfHomes = rulesOfTeams(accounts, underwriting, scheduler);
  const others = lines.map((ports) => ({ line: ports.line, rulesOf: rulesOfTeams(accounts, ports, scheduler) }));
  const { hazardEvents } = underwriting;
  const verdictPorts = { rulesOf: rulesOfHomes, lines: others, distance, ...(hazardEvents && { hazardEvents }) };
  const verdictsByRules = createVerdictSource(verdictPorts);
  let withoutRules: VerdictsWithoutRules = { verdictSource: verdictsByRules, stop() {} };
  const verdictSource: VerdictSource = (key, request) => withoutRules.verdictSource(key, request);
  const quoted = lines.map(({ line }) => quotedLine(line));
  const secrets = carrierSecrets(variables);
  const carriers = [...new Set([files.carriersFolder, ...lineFolders])].flatMap((carriersFolder) =>
    readCarrierAdapters({ ...files, carriersFolder, verdictSource, secrets, lines: quoted }),
  );
  const reservedKeys = [...carriers.map(({ key }) => key), ...(demo ? [sandboxKey] : [])];
  carriers.push(...(await loadOwnAdapters(adapters, { folder: files.folder, verdictSource, reservedKeys })));
  const hasRules = (key: string) =>
    [underwriting, ...lines].some(({ catalog }) =>
      servedCatalog(catalog).latest.carriers.some((carrier) => carrier.key === key),
    );
  const ruleless = carriers.filter(({ key }) => !hasRules(key));
  for (const { key } of ruleless) carrierKeys.add(key);
  if (ruleless.length > 0) {
    const keys = ruleless.map(({ key }) => key);
    logger.warn({ carriers: keys }, 'carriers without a rule set are called for every home that they offer to quote');
  }
  withoutRules = await verdictsWithoutRules({
    adapters: ruleless,
    feed: accounts.registry.feed,
    vocabulary: servedCatalog(underwriting.catalog).latest.vocabulary,
    lines: lines.map(({ line }) => line),
    rulesOf: (teamId, formType) =>
      (others.find(({ line }) => line.vocabulary.policyTypes.includes(formType))?.rulesOf ?? rulesOfHomes)(teamId),
    verdictSource: verdictsByRules,
    onError: (err) => logger.warn({ err }, 'rules_not_served'),
  });
  if (demo) {
    carriers.push(
      createSandboxCarrier({
        key: sandboxKey,
        name: 'Sandbox Carrier',
        latencyMs: 3000,
        limits: { concurrency: 8, deadlineMs: SANDBOX_DEADLINE_MS },
        ledger: join(dataFolder, 'sandbox-calls.ndjson'),
      }),
    );
  }
  const log = createQuoteLog(logger);
  const keeping = keepingSettings(variables);
  const counted = createQuoteMetrics(metrics, {
    backlog: () => quotes.backlog(),
    failures: () => quotes.failures(),
    quotas: () => quotes.quotas(),
    carrierCooldowns: () => quotes.carrierCooldowns(),
  });
  const queue =
    queueModule === undefined
      ? await openQueue(queueUrl, log.onFailure('queue'))
      : await loadOwnQueue(queueModule, files.folder);
  const quotes = createQuotes({
    ...keeping,
    database,
    wrapPort: tracePort,
    carriers: carriers.map(traceCarrier),
    lines: quoted,
    documents,
    queue: queue && traceQueue(queue),
    teams: createAccountTeams(accounts.directory),
    closures: hazardEvents && createClosureSource({ ...verdictPorts, hazardEvents }),
    homeVerdicts: createHomeVerdicts({ ...verdictPorts, rulesStampOf: rulesStampOfTeams(accounts, underwriting) }),
    listener(event) {
      log.listener(event);
      counted.listener(event);
    },
  });
  // A demo prints a welcome text and has no real data.
  if (!demo) {
    const { personalDataDays: days, encryption } = keeping;
    logger.info({ days, encrypted: encryption !== undefined }, 'personal data of quotes is erased after so many days');
  }
  const { stop } = quotes;
  return Object.assign(quotes, {
    stop: (how?: Parameters<Quotes['stop']>[0]) => {
      withoutRules.stop();
      return stop(how);
    },
  });
}

/** Rules of a team's organization in its time slices, or base rules without accounts' rules. */
function rulesOfTeams(
  { directory }: Accounts,
  { catalog, organizations }: UnderwritingPorts,
  scheduler?: FairScheduler,
) {
  const served = servedCatalog(catalog);
  return async (teamId: string): Promise<Decider> => {
    const team = await directory.team(teamId);
    const own = team && (await organizations?.catalogOf(team.organizationId));
    if (!own || !scheduler) return own ?? served.current();
    const { vocabulary, options, carriers } = own;
    const turn = scheduler.workOf(organizationTenant(team.organizationId));
    return {
      vocabulary,
      options,
      carriers,
      decide: (property, deciding) => own.decide(property, { ...deciding, turn }),
    };
  };
}

/** Names the rules that `rulesOfTeams` returns. Undefined if there is no such team. */
function rulesStampOfTeams({ directory }: Accounts, { catalog, organizations }: UnderwritingPorts) {
  const served = servedCatalog(catalog);
  return async (teamId: string): Promise<string | undefined> => {
    const team = await directory.team(teamId);
    if (team === undefined) return undefined;
    const own = organizations && (await directory.catalogStamp(team.organizationId));
    return `${catalogStamp(await served.current())} ${own ?? ''}`;
  };
}
