import { resolve } from 'node:path';
import type { EventStreamLimits, OverloadLimits, RateLimit } from '@leeward/http';
import type { DocumentOptions } from '@leeward/quotes';
import type { ApprovalRules, SavedDecisionLimits } from '@leeward/registry';
import { CommandError } from '../command-error.ts';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import { approvalRules } from '../settings/approval-rules.ts';
import { placeCoastlines } from '../settings/coastline-names.ts';
import { readSettings, type Settings } from '../settings/read-settings.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { readStoreSettings, type StoreSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';
import { type GeocoderSettings, geocoderSettings } from './geocoder-settings.ts';

/** Options of `leeward serve`. */
export interface ServeOptions {
  readonly demo?: boolean;
  readonly allowDemo?: boolean;
  /** True to read the folder of carriers again after changes. */
  readonly watch?: boolean;
  /** True to fill an empty registry with the carriers of the folder. */
  readonly seed?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly carriers?: string;
  /** Files of carrier adapters. */
  readonly adapters?: readonly string[];
  readonly coastline?: readonly string[];
  /** Online geocoders, used after imported addresses. */
  readonly geocoder?: readonly string[];
  /** The page for people at `/`. */
  readonly workbench?: boolean;
  /** A configuration file, as `LEEWARD_CONFIG` would name it. */
  readonly config?: string;
}

/** Environment of tokens. Default `live`, for a demo `demo`. */
export interface ServeSettings extends StoreSettings {
  readonly demo: boolean;
  readonly host: string;
  readonly port: number;
  /** undefined: the invented ones, which only a demo has. */
  readonly carriers: string | undefined;
  /** Names of lines of business in addition to homes. */
  readonly lines: readonly string[];
  readonly watch: boolean;
  /** True to fill an empty registry with the carriers of the folder. */
  readonly seed: boolean;
  readonly approval: ApprovalRules;
  /** Share of decisions saved for testing rules: 0 none, 1 all. */
  readonly captureShare: number;
  readonly savedDecisions: SavedDecisionLimits;
  readonly operatorToken: string | undefined;
  /** Files of carrier adapters, by their whole paths. */
  readonly adapters: readonly string[];
  /** False if only workers call carriers. */
  readonly askCarriers: boolean;
  /** True to serve the workbench page at `/`. */
  readonly workbench: boolean;
  /** `postgres://…` or `redis://…`; default in this process. */
  readonly queueUrl: string | undefined;
  /** Module of a queue of one's own, by its whole path. */
  readonly queueModule: string | undefined;
  /** undefined: `/metrics` is on the port of all else, for the operator alone. */
  readonly metricsPort: number | undefined;
  /** Limit of requests per token. Null for unlimited. */
  readonly rateLimit: RateLimit | null;
  /** Limit of requests of all tokens of an organization together. Null for unlimited. */
  readonly organizationRateLimit: RateLimit | null;
  /** Limit of items, per token and per organization. Null for unlimited. */
  readonly itemLimit: RateLimit | null;
  /** Limit of requests without a valid token, for each address; null: none. */
  readonly addressRateLimit: RateLimit | null;
  /** undefined: no proxy is trusted. */
  readonly isTrustedProxy: ((address: string) => boolean) | undefined;
  /** Redis that counts for several processes. Undefined: each process counts separately. */
  readonly rateLimitUrl: string | undefined;
  /** null: none. */
  readonly requestTimeoutMs: number | null;
  readonly overload: OverloadLimits;
  readonly eventStreams: EventStreamLimits;
  readonly documents: DocumentOptions;
  /** Coastlines in order: files by absolute path, and `us` for the included coastline. */
  readonly coastlines: readonly string[];
  readonly geocoders: GeocoderSettings;
  /** Source of hazards. Undefined for none. */
  readonly hazards: { readonly baseUrl: string | undefined } | undefined;
  readonly stopDeadlineMs: number;
  readonly logLevel: string;
  /** The environment and the values of the file, for readers of further settings. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const loopbackHosts = ['127.0.0.1', 'localhost', '::1'];

/** Settings for serving, with every fault of theirs. Reads the configuration file and opens nothing else. */
export function readServeSettings(
  options: ServeOptions,
  terminal: Pick<Terminal, 'environment' | 'folder'>,
): { readonly settings: Settings; readonly serve: ServeSettings; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const { demo = false, host: hostOption, port: portOption, carriers: carriersOption, config } = options;
  const environment = config === undefined ? terminal.environment : { ...terminal.environment, LEEWARD_CONFIG: config };
  const coastlines = options.coastline?.join(',');
  const geocoders = options.geocoder === undefined ? undefined : ['address_book', ...options.geocoder].join(',');
  const workbench = options.workbench ? 'true' : undefined;
  const adapters = options.adapters?.join(',');
  const optionTexts = {
    adapters,
    host: hostOption,
    port: portOption,
    carriers: carriersOption,
    coastlines,
    geocoders,
    workbench,
  };
  const settings = readSettings({ environment, folder: terminal.folder }, faults, { options: optionTexts, demo });
  const host = settings.value('host') ?? '';
  const carriers = settings.value('carriers');
  if (demo && !options.allowDemo) {
    const way = 'leave out --demo, or add --allow-demo';
    if (!loopbackHosts.includes(host)) faults.push(`A demo listens on 127.0.0.1 alone, not on ${host}; ${way}.`);
    const database = settings.inForce('database_url');
    if (database && database.source !== 'default') {
      const where = database.source === 'file' ? `${database.where}: database_url` : database.where;
      faults.push(`A demo uses only its demo data, but ${where} is set; unset it, ${way}.`);
    }
  }
  if (!demo && carriers === undefined) {
    faults.push('Name the folder of your carriers: --carriers DIR or LEEWARD_CARRIERS (or try --demo).');
  }
  try {
    keepingSettings(settings.variables);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    faults.push(error.message);
  }
  const queueModule = settings.value('queue');
  if (queueModule !== undefined && settings.value('queue_url') !== undefined) {
    faults.push('LEEWARD_QUEUE and LEEWARD_QUEUE_URL both name a queue; unset one of them.');
  }
  const serve = {
    demo,
    watch: options.watch ?? false,
    seed: options.seed ?? false,
    lines: (settings.value('lines') ?? []).filter((name) => name !== 'home'),
    approval: approvalRules(settings),
    captureShare: settings.value('capture') ?? 0,
    savedDecisions: { days: settings.value('capture_days') ?? 30, maxOfEach: settings.value('capture_max') ?? 10_000 },
    host,
    port: settings.value('port') ?? 0,
    carriers,
    ...readStoreSettings(settings, terminal.folder),
    queueUrl: settings.value('queue_url'),
    queueModule: queueModule === undefined ? undefined : resolve(terminal.folder, queueModule),
    operatorToken: settings.value('operator_token'),
    adapters: (settings.value('adapters') ?? []).map((file) => resolve(terminal.folder, file)),
    askCarriers: settings.value('ask_carriers') === 'true',
    workbench: settings.value('workbench') === 'true',
    metricsPort: settings.value('metrics_port'),
    rateLimit: settings.value('rate_limit') ?? null,
    organizationRateLimit: settings.value('organization_rate_limit') ?? null,
    itemLimit: settings.value('item_limit') ?? null,
    addressRateLimit: settings.value('address_rate_limit') ?? null,
    isTrustedProxy: settings.value('trusted_proxies'),
    rateLimitUrl: settings.value('rate_limit_url'),
    requestTimeoutMs: settings.value('request_timeout_ms') || null,
    overload: {
      maxInFlight: settings.value('max_in_flight') || null,
      maxDelayMs: settings.value('max_delay_ms') || null,
    },
    eventStreams: {
      max: settings.value('event_streams') ?? 5000,
      maxPerOrganization: settings.value('event_streams_per_organization'),
      maxPerTeam: settings.value('event_streams_per_team') ?? 200,
    },
    documents: {
      maxBytes: settings.value('max_document_bytes'),
      firstByteMs: seconds(settings.value('document_first_byte_seconds')),
      timeoutMs: seconds(settings.value('document_seconds')),
    },
    coastlines: placeCoastlines(settings.value('coastlines')?.join(',') ?? '', terminal.folder),
    geocoders: geocoderSettings(
      (name) =>
        (name === 'LEEWARD_GEOCODERS' ? settings.inForce('geocoders')?.text : settings.variables[name]) || undefined,
      faults,
    ),
    hazards: settings.value('hazards') === 'nfhl' ? { baseUrl: settings.value('hazards_url') } : undefined,
    stopDeadlineMs: settings.value('stop_deadline_ms') ?? 0,
    logLevel: settings.value('log_level') ?? 'info',
    variables: settings.variables,
  };
  return { settings, serve, faults };
}

function seconds(days: number | undefined): number | undefined {
  return days === undefined ? undefined : days * 1000;
}

/** Settings for serving. Throws one error that names every fault. */
export function serveSettings(
  options: ServeOptions,
  terminal: Pick<Terminal, 'environment' | 'folder'>,
): ServeSettings {
  const { serve, faults } = readServeSettings(options, terminal);
  refuseFaults(faults);
  return serve;
}
