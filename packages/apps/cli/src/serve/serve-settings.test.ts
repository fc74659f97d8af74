import { describe, expect, it } from 'vitest';
import type { Terminal } from '../terminal.ts';
import { type ServeOptions, serveSettings } from './serve-settings.ts';

function settings(options: ServeOptions, environment: Record<string, string> = {}) {
  return serveSettings(options, { environment, folder: '/srv/leeward' } as unknown as Terminal);
}

describe('serveSettings', () => {
  it('has defaults for all but the carriers', () => {
    expect(settings({ demo: true })).toEqual({
      demo: true,
      watch: false,
      seed: false,
      lines: [],
      approval: { fourEyes: true, allowsDirectRules: true, explainFrom: 'warning' },
      captureShare: 0,
      savedDecisions: { days: 30, maxOfEach: 10_000 },
      host: '127.0.0.1',
      port: 3000,
      carriers: undefined,
      dataFolder: '/srv/leeward/.leeward',
      databaseUrl: 'sqlite:/srv/leeward/.leeward/leeward.sqlite',
      environment: 'demo',
      operatorToken: undefined,
      tokenMaxDays: undefined,
      adapters: [],
      askCarriers: true,
      certificates: {},
      workbench: true,
      keepSignIn: true,
      signIn: undefined,
      sandbox: false,
      metricsPort: undefined,
      rateLimit: { perMinute: 600, burst: 200 },
      organizationRateLimit: { perMinute: 3_000, burst: 1_000 },
      itemLimit: { perMinute: 60_000, burst: 5_000 },
      addressRateLimit: { perMinute: 1_200, burst: 600 },
      requestTimeoutMs: 30_000,
      eventStreams: { max: 5000, maxPerTeam: 200 },
      documents: { maxBytes: 26_214_400, firstByteMs: 20_000, timeoutMs: 300_000 },
      overload: { maxInFlight: 1000, maxDelayMs: 250 },
      coastlines: ['us'],
      geocoders: [{ kind: 'address_book' }],
      hazards: undefined,
      stopDeadlineMs: 10_000,
      logLevel: 'info',
      variables: {},
    });
    expect(() => settings({})).toThrow('--carriers DIR');
  });

  it('has the lines that are named, homes always', () => {
    const lines = (LEEWARD_LINES: string) => settings({ demo: true }, { LEEWARD_LINES }).lines;
    expect(lines('home')).toEqual([]);
    expect(lines('home, Condo,flood')).toEqual(['condo', 'flood']);
    expect(() => lines('home,condoo')).toThrow(
      'LEEWARD_LINES names "condoo", which is not a line of business; did you mean condo?',
    );
    expect(() => lines('home,auto')).toThrow('give some of: home, condo, flood, or name a module');
    expect(lines('home, ./Renters.ts,FLOOD')).toEqual(['./Renters.ts', 'flood']);
    expect(() => lines('home,flood,flood')).toThrow('names "flood" twice');
    expect(() => lines('flood')).toThrow('homes are always on: begin with home');
  });

  it('takes the environment, and the command line before it', () => {
    const environment = {
      PORT: '8080',
      LEEWARD_HOST: '10.0.0.5',
      LEEWARD_CARRIERS: 'ours',
      LEEWARD_DATA_DIR: '/var/lib/leeward',
      LEEWARD_METRICS_PORT: '9100',
      LEEWARD_CAPTURE: '0.25',
      LEEWARD_CAPTURE_DAYS: '7',
      LEEWARD_CAPTURE_MAX: '500',
      LEEWARD_RATE_LIMIT: '0',
      LEEWARD_ITEM_LIMIT: '600',
      LEEWARD_ADDRESS_RATE_LIMIT: '0',
      LEEWARD_TRUSTED_PROXIES: '10.1.0.0/16',
      LEEWARD_LOG_LEVEL: 'warn',
      LEEWARD_DATABASE_URL: 'postgres://db/leeward',
      LEEWARD_ENVIRONMENT: 'staging',
      LEEWARD_OPERATOR_TOKEN: 'o'.repeat(32),
      LEEWARD_ASK_CARRIERS: 'false',
      LEEWARD_WORKBENCH: 'true',
      LEEWARD_REQUEST_TIMEOUT_MS: '0',
      LEEWARD_MAX_IN_FLIGHT: '0',
      LEEWARD_MAX_DOCUMENT_BYTES: '1000000',
      LEEWARD_DOCUMENT_SECONDS: '60',
      LEEWARD_MAX_DELAY_MS: '50',
      LEEWARD_STOP_DEADLINE_MS: '2000',
    };
    expect(settings({}, environment)).toEqual({
      demo: false,
      watch: false,
      seed: false,
      lines: [],
      approval: { fourEyes: true, allowsDirectRules: true, explainFrom: 'warning' },
      captureShare: 0.25,
      savedDecisions: { days: 7, maxOfEach: 500 },
      host: '10.0.0.5',
      port: 8080,
      carriers: 'ours',
      dataFolder: '/var/lib/leeward',
      databaseUrl: 'postgres://db/leeward',
      environment: 'staging',
      operatorToken: 'o'.repeat(32),
      adapters: [],
      askCarriers: false,
      certificates: {},
      workbench: true,
      keepSignIn: false,
      sandbox: false,
      metricsPort: 9100,
      rateLimit: null,
      organizationRateLimit: null,
      itemLimit: { perMinute: 600, burst: 600 },
      addressRateLimit: null,
      isTrustedProxy: expect.any(Function),
      requestTimeoutMs: null,
      eventStreams: { max: 5000, maxPerTeam: 200 },
      documents: { maxBytes: 1_000_000, firstByteMs: 20_000, timeoutMs: 60_000 },
      overload: { maxInFlight: null, maxDelayMs: 50 },
      coastlines: ['us'],
      geocoders: [{ kind: 'address_book' }],
      hazards: undefined,
      stopDeadlineMs: 2_000,
      logLevel: 'warn',
      variables: environment,
    });
    expect(settings({ carriers: 'ours' })).toMatchObject({ environment: 'live', workbench: false });
    expect(settings({ port: '0', host: '127.0.0.1', carriers: 'theirs' }, environment)).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      carriers: 'theirs',
    });
    expect(settings({ demo: true }, { PORT: '', LEEWARD_DATA_DIR: '' })).toMatchObject({ port: 3000 });
  });

  it('limits a demo to this machine and one process by default', () => {
    expect(() => settings({ demo: true, host: '0.0.0.0' })).toThrow('127.0.0.1 alone, not on 0.0.0.0');
    expect(() => settings({ demo: true }, { LEEWARD_HOST: '10.0.0.5' })).toThrow('not on 10.0.0.5');
    expect(() => settings({ demo: true }, { LEEWARD_DATABASE_URL: 'x' })).toThrow('LEEWARD_DATABASE_URL');
    const environment = { LEEWARD_DATABASE_URL: 'sqlite:elsewhere.sqlite' };
    expect(settings({ demo: true, allowDemo: true, host: '0.0.0.0' }, environment)).toMatchObject({
      host: '0.0.0.0',
      databaseUrl: 'sqlite:elsewhere.sqlite',
    });
  });

  it('names every fault at once', () => {
    const attempt = () =>
      settings({ demo: true, host: '0.0.0.0' }, { PORT: '99999', LEEWARD_RATE_LIMIT: 'x', LEEWARD_LOG_LEVEL: 'loud' });
    for (const fault of ['0.0.0.0', 'PORT is "99999"', 'LEEWARD_RATE_LIMIT', '"loud"']) expect(attempt).toThrow(fault);
    const secrets = () =>
      settings(
        { carriers: 'ours' },
        {
          LEEWARD_ENVIRONMENT: 'Pre-Prod',
          LEEWARD_OPERATOR_TOKEN: 'hunter2',
          LEEWARD_DATABASE_URL: 'mysql://leeward:hunter3@db/leeward',
        },
      );
    for (const fault of ['LEEWARD_ENVIRONMENT is "Pre-Prod"', 'has 7 characters', 'LEEWARD_DATABASE_URL begins']) {
      expect(secrets).toThrow(fault);
    }
    expect(secrets).not.toThrow('hunter');
    for (const port of ['-1', '1.5', 'http', '65536', '0x50'])
      expect(() => settings({ demo: true, port })).toThrow('--port');
  });
});

it('reports faults of personal data settings with all others', () => {
  const attempt = () => settings({ demo: true, port: 'x' }, { LEEWARD_PERSONAL_DATA_DAYS: 'many' });
  for (const fault of ['--port', 'LEEWARD_PERSONAL_DATA_DAYS is "many"']) expect(attempt).toThrow(fault);
});
