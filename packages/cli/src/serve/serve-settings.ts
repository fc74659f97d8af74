import { defaultRateLimit, parseRateLimit, type RateLimit } from '@leeward/http';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { type StoreSettings, storeSettings } from './store-settings.ts';

/** What the command line says of `leeward serve`. */
export interface ServeOptions {
  readonly demo?: boolean;
  readonly allowDemo?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly carriers?: string;
}

/** Tokens are made for `live` where nothing else is said, of a demo for `demo`. */
export interface ServeSettings extends StoreSettings {
  readonly demo: boolean;
  readonly host: string;
  readonly port: number;
  /** undefined: the invented ones, which only a demo has. */
  readonly carriers: string | undefined;
  /** `LEEWARD_OPERATOR_TOKEN`. */
  readonly operatorToken: string | undefined;
  /** `LEEWARD_QUEUE_URL`: `postgres://…` or `redis://…`; default in this process. */
  readonly queueUrl: string | undefined;
  /** null: none. */
  readonly rateLimit: RateLimit | null;
  readonly logLevel: string;
}

const loopbackHosts = ['127.0.0.1', 'localhost', '::1'];
const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Settings of the command line and the environment, the former first. Throws one error that names every fault. */
export function serveSettings(options: ServeOptions, { environment, folder }: Terminal): ServeSettings {
  const faults: string[] = [];
  const setting = (name: string) => environment[name] || undefined;
  const demo = options.demo ?? false;
  const host = options.host ?? setting('LEEWARD_HOST') ?? '127.0.0.1';
  const carriers = options.carriers ?? setting('LEEWARD_CARRIERS');

  if (demo && !options.allowDemo) {
    const way = 'leave out --demo, or say --allow-demo if you mean it';
    if (!loopbackHosts.includes(host)) faults.push(`A demo listens on 127.0.0.1 alone, not on ${host}; ${way}.`);
    if (setting('LEEWARD_DATABASE_URL') !== undefined) {
      faults.push(`A demo keeps to its own data, but LEEWARD_DATABASE_URL is set; unset it, ${way}.`);
    }
  }
  if (!demo && carriers === undefined) {
    faults.push('Name the folder of your carriers: --carriers DIR or LEEWARD_CARRIERS (or try --demo).');
  }
  const [portName, portText] =
    options.port === undefined ? ['PORT', setting('PORT') ?? '3000'] : ['--port', options.port];
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : Number.NaN;
  if (!(port <= 65_535)) faults.push(`${portName} is ${JSON.stringify(portText)}; give a port from 0 (any) to 65535.`);
  let rateLimit: RateLimit | null = defaultRateLimit;
  const rateLimitText = setting('LEEWARD_RATE_LIMIT');
  try {
    if (rateLimitText !== undefined) rateLimit = parseRateLimit(rateLimitText) ?? null;
  } catch (error) {
    faults.push(`LEEWARD_RATE_LIMIT: ${(error as Error).message}`);
  }
  const logLevel = setting('LEEWARD_LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(logLevel)) {
    faults.push(`LEEWARD_LOG_LEVEL is ${JSON.stringify(logLevel)}; give one of: ${logLevels.join(', ')}.`);
  }
  const operatorToken = setting('LEEWARD_OPERATOR_TOKEN');
  if (operatorToken !== undefined && operatorToken.length < 32) {
    faults.push(`LEEWARD_OPERATOR_TOKEN has ${operatorToken.length} characters; give at least 32.`);
  }
  const store = storeSettings({ environment, folder }, demo ? 'demo' : 'live', faults);
  const queueUrl = setting('LEEWARD_QUEUE_URL');
  if (queueUrl !== undefined && !/^(sqlite|postgres|postgresql|rediss?):/.test(queueUrl)) {
    faults.push('LEEWARD_QUEUE_URL begins with sqlite:, postgres: or redis:, and this one does not.');
  }
  if (faults.length > 0) throw new CommandError(faults.join('\n'));
  return {
    demo,
    host,
    port,
    carriers,
    ...store,
    queueUrl,
    operatorToken,
    rateLimit,
    logLevel,
  };
}
