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
import { type CertificateSettings, readCertificateSettings } from '../signing/certificate-settings.ts';
import { readStoreSettings, type StoreSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';
import { type AuditStreamSettings, auditStreamSettings } from './audit-streams.ts';
import { type EventSourceSettings, eventSourceSettings } from './event-source.ts';
import { type GeocoderSettings, geocoderSettings } from './geocoder-settings.ts';
import { type SignInSettings, signInSettings } from './sign-in.ts';

export interface ServeOptions {
  readonly demo?: boolean;
  readonly allowDemo?: boolean;
  /** Start the sandbox provider of a demo. */
  readonly signIn?: boolean;
  /** Read the folder of carriers again after changes. */
  readonly watch?: boolean;
  /** Fill an empty registry with the carriers of the folder. */
  readonly seed?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly carriers?: string;
  readonly adapters?: readonly string[];
  readonly coastline?: readonly string[];
  /** Online geocoders, after imported addresses. */
  readonly geocoder?: readonly string[];
  /** The page for people at `/`. */
  readonly workbench?: boolean;
  readonly config?: string;
}

/** Environment of tokens. @default live, demo for a demo */
export interface ServeSettings extends StoreSettings {
  readonly demo: boolean;
  readonly host: string;
  readonly port: number;
  /** Undefined: the invented ones of a demo. */
  readonly carriers: string | undefined;
  /** In addition to homes; and homes if a file adds fields. */
  readonly lines: readonly string[];
  readonly watch: boolean;
  /** Fill an empty registry with the carriers of the folder. */
  readonly seed: boolean;
  readonly approval: ApprovalRules;
  /** Share of saved decisions, 0 to 1. */
  readonly captureShare: number;
  readonly savedDecisions: SavedDecisionLimits;
  readonly operatorToken: string | undefined;
  readonly tokenMaxDays: number | undefined;
  readonly adapters: readonly string[];
  /** False if only workers call carriers. */
  readonly askCarriers: boolean;
  /** Serve the workbench at `/`. */
  readonly workbench: boolean;
  /** True if a tab of the workbench keeps its sign-in. */
  readonly keepSignIn: boolean;
  /** Undefined: people have tokens only. */
  readonly signIn: SignInSettings | undefined;
  /** Start the sandbox provider of a demo. */
  readonly sandbox: boolean;
  /** `postgres://…` or `redis://…`. @default in this process */
  readonly queueUrl: string | undefined;
  /** Absolute path of a custom queue. */
  readonly queueModule: string | undefined;
  /** Undefined: `/metrics` on the main port, for the operator. */
  readonly metricsPort: number | undefined;
  /** Requests per token. Null: unlimited. */
  readonly rateLimit: RateLimit | null;
  /** Requests per organization. Null: unlimited. */
  readonly organizationRateLimit: RateLimit | null;
  /** Items per token and organization. Null: unlimited. */
  readonly itemLimit: RateLimit | null;
  /** Requests without a valid token, per address. Null: unlimited. */
  readonly addressRateLimit: RateLimit | null;
  /** Undefined: trust no proxy. */
  readonly isTrustedProxy: ((address: string) => boolean) | undefined;
  /** Counts for several processes. Undefined: each counts separately. */
  readonly rateLimitUrl: string | undefined;
  /** Null: none. */
  readonly requestTimeoutMs: number | null;
  readonly overload: OverloadLimits;
  readonly eventStreams: EventStreamLimits;
  readonly documents: DocumentOptions;
  /** Absolute paths, and `us` for the shipped coastline. */
  readonly coastlines: readonly string[];
  readonly geocoders: GeocoderSettings;
  /** Undefined: none. */
  readonly hazards: { readonly baseUrl: string | undefined } | undefined;
  /** Undefined: only those that operators post. */
  readonly eventSource: EventSourceSettings | undefined;
  /** Undefined: the audit log is not streamed. */
  readonly auditStream: AuditStreamSettings | undefined;
  /** Key, issuer and letters of certificates. */
  readonly certificates: Omit<CertificateSettings, 'dataFolder' | 'databaseUrl'>;
  readonly stopDeadlineMs: number;
  readonly logLevel: string;
  /** Environment and file values, for further settings. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const loopbackHosts = ['127.0.0.1', 'localhost', '::1'];

/** Settings with every fault. Opens only the configuration file. */
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
  const signIn = signInSettings(settings, faults);
  if (options.signIn && !demo) {
    faults.push('--sign-in starts the sandbox of a demo; without --demo set LEEWARD_OIDC_ISSUER to your provider.');
  } else if (options.signIn && signIn) {
    faults.push('--sign-in and LEEWARD_OIDC_ISSUER both name a provider; leave one of them out.');
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
    tokenMaxDays: settings.value('token_max_days'),
    adapters: (settings.value('adapters') ?? []).map((file) => resolve(terminal.folder, file)),
    askCarriers: settings.value('ask_carriers') === 'true',
    workbench: settings.value('workbench') === 'true',
    keepSignIn: settings.value('workbench_keep_sign_in') === 'true',
    signIn,
    sandbox: options.signIn ?? false,
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
    eventSource: eventSourceSettings(settings, terminal.folder, faults),
    auditStream: auditStreamSettings(settings, faults),
    certificates: readCertificateSettings(settings, terminal.folder, faults),
    stopDeadlineMs: settings.value('stop_deadline_ms') ?? 0,
    logLevel: settings.value('log_level') ?? 'info',
    variables: settings.variables,
  };
  return { settings, serve, faults };
}

function seconds(days: number | undefined): number | undefined {
  return days === undefined ? undefined : days * 1000;
}

/** Throws one error that names every fault. */
export function serveSettings(
  options: ServeOptions,
  terminal: Pick<Terminal, 'environment' | 'folder'>,
): ServeSettings {
  const { serve, faults } = readServeSettings(options, terminal);
  refuseFaults(faults);
  return serve;
}
