import { createKeySigner, readCertificateKeys } from '@leeward/certificate/keys';
import {
  defaultAddressRateLimit,
  defaultItemLimit,
  organizationLimitOf,
  parseRateLimit,
  type RateLimit,
} from '@leeward/http/rate-limit';
import { readAuditDestinations, readWebhookSecrets } from './audit-destinations.ts';
import { readCoastlines } from './coastline-names.ts';
import { geocoderSettingsTable } from './geocoder-settings-table.ts';
import { lineNames, readLines } from './line-names.ts';
import { oidcSettingsTable } from './oidc-settings-table.ts';
import { readOneOf, readText, readUrl, readWhole } from './read-values.ts';
import { setting } from './setting.ts';
import { readTrustedProxies } from './trusted-proxies.ts';

function readSigningKey(text: string): string {
  try {
    createKeySigner(readCertificateKeys(text));
    return text;
  } catch (error) {
    throw new RangeError(`cannot be used. ${(error as Error).message}`);
  }
}

/** null: no limit. */
function readRateLimit(text: string, usual?: RateLimit): RateLimit | null {
  try {
    return parseRateLimit(text, usual) ?? null;
  } catch (error) {
    throw new RangeError(`cannot be used. ${(error as Error).message}`);
  }
}

/** All settings by their key in a configuration file. `leeward config` prints them and the guide lists them. */
export const settingsTable = {
  carriers: setting({
    variable: 'LEEWARD_CARRIERS',
    option: '--carriers',
    description: 'Folder of carriers: <carrier>/rule-set.json. Needed unless it is a demo.',
    path: 'folder',
    read: readText,
  }),
  lines: setting({
    variable: 'LEEWARD_LINES',
    description: `Lines of business that are on, separated by commas: ${lineNames.join(', ')}, or modules of your own. Others are announced.`,
    usual: 'home',
    path: 'lines',
    read: readLines,
  }),
  host: setting({
    variable: 'LEEWARD_HOST',
    option: '--host',
    description: 'Address to listen on; 0.0.0.0 is all there are.',
    usual: '127.0.0.1',
    read: readText,
  }),
  port: setting({
    variable: 'PORT',
    option: '--port',
    description: 'Port to listen on; 0 is any free one.',
    usual: '3000',
    read: readWhole(0, 65_535, 'a port from 0 (any) to 65535'),
  }),
  metrics_port: setting({
    variable: 'LEEWARD_METRICS_PORT',
    description: 'Separate port for /metrics without a token; keep it private.',
    read: readWhole(0, 65_535, 'a port from 0 (any) to 65535'),
  }),
  data_dir: setting({
    variable: 'LEEWARD_DATA_DIR',
    description: 'Folder for what is kept in files.',
    usual: '.leeward',
    path: 'folder',
    read: readText,
  }),
  database_url: setting({
    variable: 'LEEWARD_DATABASE_URL',
    description: 'sqlite:path or postgres://…; default leeward.sqlite in the data folder.',
    usual: ({ text }) => `sqlite:${text('data_dir')}/leeward.sqlite`,
    secret: 'url',
    path: 'database',
    read: readUrl('sqlite', 'postgres', 'postgresql'),
  }),
  queue_url: setting({
    variable: 'LEEWARD_QUEUE_URL',
    description:
      'Queue that wakes workers: postgres://… or redis://…; none: workers only poll; default in this process.',
    secret: 'url',
    read: (text) => (text === 'none' ? text : readUrl('sqlite', 'postgres', 'postgresql', 'redis', 'rediss')(text)),
  }),
  queue: setting({
    variable: 'LEEWARD_QUEUE',
    description: 'A queue of your own in place of LEEWARD_QUEUE_URL: a TypeScript or JavaScript file that exports it.',
    read: readText,
  }),
  adapters: setting({
    variable: 'LEEWARD_ADAPTERS',
    option: '--adapters',
    description:
      'Carrier adapters of your own, separated by commas: TypeScript or JavaScript files whose default export is a list of them.',
    read: (text) =>
      text
        .split(',')
        .map((file) => file.trim())
        .filter((file) => file !== ''),
  }),
  ask_carriers: setting({
    variable: 'LEEWARD_ASK_CARRIERS',
    description: 'True if serve also calls carriers; false leaves that to leeward worker.',
    usual: 'true',
    read: readOneOf(['true', 'false']),
  }),
  workbench: setting({
    variable: 'LEEWARD_WORKBENCH',
    option: '--workbench',
    description: 'True if serve has the workbench page at /. A demo has it.',
    usual: ({ demo }) => String(demo),
    read: readOneOf(['true', 'false']),
  }),
  workbench_keep_sign_in: setting({
    variable: 'LEEWARD_WORKBENCH_KEEP_SIGN_IN',
    description: 'True if a browser tab keeps its sign-in to the workbench until it is closed. A demo does.',
    usual: ({ demo }) => String(demo),
    read: readOneOf(['true', 'false']),
  }),
  environment: setting({
    variable: 'LEEWARD_ENVIRONMENT',
    description: 'Environment of tokens: only its tokens are created and accepted.',
    usual: ({ demo }) => (demo ? 'demo' : 'live'),
    read(text) {
      if (/^[a-z0-9]{1,16}$/.test(text)) return text;
      throw new RangeError(`is ${JSON.stringify(text)}; give 1 to 16 lower-case letters and digits, like live.`);
    },
  }),
  operator_token: setting({
    variable: 'LEEWARD_OPERATOR_TOKEN',
    description: 'A token of 32 characters or more that may administer the whole instance.',
    secret: 'whole',
    read(text) {
      if (text.length >= 32) return text;
      throw new RangeError(`has ${text.length} characters; give at least 32.`);
    },
  }),
  certificate_key: setting({
    variable: 'LEEWARD_CERTIFICATE_KEY',
    description:
      'Private key that signs certificates, the same for every process: a JSON Web Key, a set of them (the first signs), or PEM. Default one made in the data folder.',
    secret: 'whole',
    read: readSigningKey,
  }),
  certificate_key_file: setting({
    variable: 'LEEWARD_CERTIFICATE_KEY_FILE',
    description: 'File with that key, in place of LEEWARD_CERTIFICATE_KEY.',
    path: 'folder',
    read: readText,
  }),
  certificate_issuer: setting({
    variable: 'LEEWARD_CERTIFICATE_ISSUER',
    description: 'Name of the issuer on certificates and letters.',
    read: readText,
  }),
  letters: setting({
    variable: 'LEEWARD_LETTERS',
    description:
      'Folder with templates of letters of declination: letter.txt and letter.html, and those of organizations in folders with their identifiers.',
    path: 'folder',
    read: readText,
  }),
  ...oidcSettingsTable,
  rules_four_eyes: setting({
    variable: 'LEEWARD_RULES_FOUR_EYES',
    description: 'True if a second person must approve proposed rule sets; false lets one person do both.',
    usual: 'true',
    read: readOneOf(['true', 'false']),
  }),
  rules_direct: setting({
    variable: 'LEEWARD_RULES_DIRECT',
    description:
      'True if an administrator may put carriers and overrides of the organization in force without approval; false refuses this while rules_four_eyes is true.',
    usual: 'true',
    read: readOneOf(['true', 'false']),
  }),
  rules_explain: setting({
    variable: 'LEEWARD_RULES_EXPLAIN',
    description:
      'Lowest severity of findings that must be explained in the file before approval; none for no findings.',
    usual: 'warning',
    read: readOneOf(['none', 'fault', 'warning', 'note']),
  }),
  capture: setting({
    variable: 'LEEWARD_CAPTURE',
    description:
      'Share of underwriting decisions saved for testing rules, such as 0.01. Saves facts of homes without the insured; 0 saves none.',
    usual: '0',
    read(text) {
      const share = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
      if (share >= 0 && share <= 1) return share;
      throw new RangeError(`is ${JSON.stringify(text)}; give a number from 0 for none to 1 for all, like 0.01.`);
    },
  }),
  capture_days: setting({
    variable: 'LEEWARD_CAPTURE_DAYS',
    description: 'Days that saved decisions are kept.',
    usual: '30',
    read: readWhole(1, 3650, 'days from 1 to 3650'),
  }),
  capture_max: setting({
    variable: 'LEEWARD_CAPTURE_MAX',
    description: 'Saved decisions kept of each organization, the latest.',
    usual: '10000',
    read: readWhole(1, 1_000_000, 'a number from 1 to 1000000'),
  }),
  rate_limit: setting({
    variable: 'LEEWARD_RATE_LIMIT',
    description: 'Requests per minute and token; 600/50 sets the burst, 0 for unlimited.',
    usual: '600/200',
    read: (text) => readRateLimit(text),
  }),
  organization_rate_limit: setting({
    variable: 'LEEWARD_ORGANIZATION_RATE_LIMIT',
    description: 'Requests a minute of all tokens of an organization together; default five times that of a token.',
    usual({ text }) {
      const limit = text('rate_limit') ?? '';
      if (!/^\d{1,9}(\/\d{1,9})?$/.test(limit)) return undefined;
      const token = parseRateLimit(limit);
      const { perMinute, burst } = token ? organizationLimitOf(token) : { perMinute: 0, burst: 0 };
      return perMinute === 0 ? '0' : `${perMinute}/${burst}`;
    },
    read: (text) => readRateLimit(text),
  }),
  item_limit: setting({
    variable: 'LEEWARD_ITEM_LIMIT',
    description:
      'Items per minute of batch operations, per token and per organization; 600/50 sets the burst, 0 for unlimited.',
    usual: `${defaultItemLimit.perMinute}/${defaultItemLimit.burst}`,
    read: (text) => readRateLimit(text, defaultItemLimit),
  }),
  address_rate_limit: setting({
    variable: 'LEEWARD_ADDRESS_RATE_LIMIT',
    description:
      'Requests per minute without a valid token (pages, /docs, bad tokens), per client address; 600/50 sets the burst, 0 for unlimited.',
    usual: `${defaultAddressRateLimit.perMinute}/${defaultAddressRateLimit.burst}`,
    read: (text) => readRateLimit(text, defaultAddressRateLimit),
  }),
  trusted_proxies: setting({
    variable: 'LEEWARD_TRUSTED_PROXIES',
    description:
      'Addresses and networks of proxies whose X-Forwarded-For names the client, separated by commas; default none.',
    read: readTrustedProxies,
  }),
  rate_limit_url: setting({
    variable: 'LEEWARD_RATE_LIMIT_URL',
    description: 'redis://… where several processes share one limit; default the queue’s Redis, else this process.',
    usual: ({ text }) => (/^rediss?:/.test(text('queue_url') ?? '') ? text('queue_url') : undefined),
    secret: 'url',
    read: readUrl('redis', 'rediss'),
  }),
  request_timeout_ms: setting({
    variable: 'LEEWARD_REQUEST_TIMEOUT_MS',
    description: 'Maximum time of a request before it ends with 503; 0 for unlimited.',
    usual: '30000',
    read: readWhole(0, 3_600_000, 'milliseconds up to 3600000 (an hour), or 0 for no limit'),
  }),
  max_in_flight: setting({
    variable: 'LEEWARD_MAX_IN_FLIGHT',
    description: 'Maximum concurrent requests. Beyond it, tenants over their quota get 503; 0 for unlimited.',
    usual: '1000',
    read: readWhole(0, 1_000_000, 'a number of requests up to 1000000, or 0 for no limit'),
  }),
  max_delay_ms: setting({
    variable: 'LEEWARD_MAX_DELAY_MS',
    description: 'Maximum wait of a tenant’s requests before its further requests get 503; 0 for unlimited.',
    usual: '250',
    read: readWhole(0, 60_000, 'milliseconds up to 60000, or 0 for no limit'),
  }),
  token_max_days: setting({
    variable: 'LEEWARD_TOKEN_MAX_DAYS',
    description:
      'Maximum lifetime of new tokens in days; /readyz counts older tokens that exceed it. Default: unlimited. The operator token is exempt.',
    read: readWhole(1, 3_650, 'days from 1 to 3650'),
  }),
  personal_data_days: setting({
    variable: 'LEEWARD_PERSONAL_DATA_DAYS',
    description: 'Retention time of personal data in quotes.',
    usual: '90',
    read: readText,
  }),
  finished_quote_days: setting({
    variable: 'LEEWARD_FINISHED_QUOTE_DAYS',
    description: 'Days after which finished quotes are deleted. Not set: they are kept.',
    read: readText,
  }),
  exchange_days: setting({
    variable: 'LEEWARD_EXCHANGE_DAYS',
    description: 'Days for which requests to carriers and their answers are kept for the operator; 0 for none.',
    usual: '7',
    read: readText,
  }),
  fields_key: setting({
    variable: 'LEEWARD_FIELDS_KEY',
    description: 'Encrypts personal data of quotes: an id, a colon, and 32 bytes in base64.',
    secret: 'whole',
    read: readText,
  }),
  fields_previous_keys: setting({
    variable: 'LEEWARD_FIELDS_PREVIOUS_KEYS',
    description: 'Keys that older data was encrypted with, separated by commas.',
    secret: 'whole',
    read: readText,
  }),
  kms_key_id: setting({
    variable: 'LEEWARD_KMS_KEY_ID',
    description:
      'Key of AWS KMS that encrypts data keys: an ARN, an id or an alias. LEEWARD_FIELDS_KEY is a previous key then.',
    read: readText,
  }),
  kms_region: setting({
    variable: 'LEEWARD_KMS_REGION',
    description: 'Region of that key; default that of its ARN, else AWS_REGION.',
    read: readText,
  }),
  kms_endpoint: setting({
    variable: 'LEEWARD_KMS_ENDPOINT',
    description: 'URL of a VPC endpoint of AWS KMS; default that of the region.',
    read: readText,
  }),
  private_webhooks: setting({
    variable: 'LEEWARD_PRIVATE_WEBHOOKS',
    description:
      'True if webhooks may use private addresses and http; only for installations where all tenants are trusted.',
    usual: 'false',
    read: readOneOf(['true', 'false']),
  }),
  webhook_ports: setting({
    variable: 'LEEWARD_WEBHOOK_PORTS',
    description: 'Ports that webhooks may be sent to, separated by commas.',
    usual: '443,8443',
    read: readText,
  }),
  event_streams: setting({
    variable: 'LEEWARD_EVENT_STREAMS',
    description: 'Maximum number of event streams (GET …/events) that are open at once in this process.',
    usual: '5000',
    read: readWhole(1, 100_000, 'a number of streams from 1 to 100000'),
  }),
  event_streams_per_organization: setting({
    variable: 'LEEWARD_EVENT_STREAMS_PER_ORGANIZATION',
    description: 'Maximum number of them for one organization, default a fifth of all; more are refused with 429.',
    read: readWhole(1, 100_000, 'a number of streams from 1 to 100000'),
  }),
  event_streams_per_team: setting({
    variable: 'LEEWARD_EVENT_STREAMS_PER_TEAM',
    description: 'Maximum number of them for one team; more are refused with 429.',
    usual: '200',
    read: readWhole(1, 100_000, 'a number of streams from 1 to 100000'),
  }),
  max_document_bytes: setting({
    variable: 'LEEWARD_MAX_DOCUMENT_BYTES',
    description: 'Maximum size of a carrier document.',
    usual: '26214400',
    read: readWhole(1, 1_073_741_824, 'bytes from 1 to 1073741824'),
  }),
  document_first_byte_seconds: setting({
    variable: 'LEEWARD_DOCUMENT_FIRST_BYTE_SECONDS',
    description: 'Maximum time until the first byte of a carrier document.',
    usual: '20',
    read: readWhole(1, 3600, 'seconds from 1 to 3600'),
  }),
  document_seconds: setting({
    variable: 'LEEWARD_DOCUMENT_SECONDS',
    description: 'Maximum time to transfer a document.',
    usual: '300',
    read: readWhole(1, 3600, 'seconds from 1 to 3600'),
  }),
  coastlines: setting({
    variable: 'LEEWARD_COASTLINES',
    option: '--coastline',
    description:
      'Coastlines that distances are measured to, the first first, separated by commas: files of leeward coast build, and us for the shipped one (us:gshhg without OpenStreetMap).',
    usual: 'us',
    path: 'coastlines',
    read: readCoastlines,
  }),
  ...geocoderSettingsTable,
  hazards: setting({
    variable: 'LEEWARD_HAZARDS',
    description: 'Online source of hazards for lines that need them: none, or nfhl (free, no key).',
    usual: 'none',
    read: readOneOf(['none', 'nfhl']),
  }),
  hazards_url: setting({
    variable: 'LEEWARD_HAZARDS_URL',
    description: 'URL of that service, if not the public one.',
    read: readUrl('https', 'http'),
  }),
  events: setting({
    variable: 'LEEWARD_EVENTS',
    description:
      'Storms and other events in addition to those that operators post: a JSON file, read again when it changes, or an http(s):// URL that is polled.',
    read: readText,
  }),
  events_max_age_seconds: setting({
    variable: 'LEEWARD_EVENTS_MAX_AGE_SECONDS',
    description: 'Age of the last successful reading of LEEWARD_EVENTS from which events are unknown.',
    usual: '300',
    read: readWhole(1, 86_400, 'seconds from 1 to 86400'),
  }),
  events_poll_seconds: setting({
    variable: 'LEEWARD_EVENTS_POLL_SECONDS',
    description: 'Time between readings of a URL in LEEWARD_EVENTS.',
    usual: '10',
    read: readWhole(1, 3600, 'seconds from 1 to 3600'),
  }),
  audit_stream: setting({
    variable: 'LEEWARD_AUDIT_STREAM',
    description:
      'Destinations that receive every entry of the audit log, separated by commas: file:/path, syslog://host:514, syslog+tls://host:6514, https://… (a webhook).',
    secret: 'urls',
    read: readAuditDestinations,
  }),
  audit_stream_secret: setting({
    variable: 'LEEWARD_AUDIT_STREAM_SECRET',
    description:
      'Signs webhooks of LEEWARD_AUDIT_STREAM by Standard Webhooks: whsec_ and 24 to 64 bytes in base64; two during a change.',
    secret: 'whole',
    read: readWebhookSecrets,
  }),
  stop_deadline_ms: setting({
    variable: 'LEEWARD_STOP_DEADLINE_MS',
    description: 'Maximum time a stop waits for accepted work.',
    usual: '10000',
    read: readWhole(0, 600_000, 'milliseconds up to 600000'),
  }),
  log_level: setting({
    variable: 'LEEWARD_LOG_LEVEL',
    description: 'info writes one JSON line per request to standard output; silent writes none.',
    usual: 'info',
    read: readOneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
  }),
} as const;

export type SettingKey = keyof typeof settingsTable;
export type SettingValue<Key extends SettingKey> = ReturnType<(typeof settingsTable)[Key]['read']>;
