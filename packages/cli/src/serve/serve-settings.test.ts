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
      host: '127.0.0.1',
      port: 3000,
      carriers: undefined,
      dataFolder: '/srv/leeward/.leeward',
      rateLimit: { perMinute: 600, burst: 200 },
      logLevel: 'info',
    });
    expect(() => settings({})).toThrow('--carriers DIR');
  });

  it('takes the environment, and the command line before it', () => {
    const environment = {
      PORT: '8080',
      LEEWARD_HOST: '10.0.0.5',
      LEEWARD_CARRIERS: 'ours',
      LEEWARD_DATA_DIR: '/var/lib/leeward',
      LEEWARD_RATE_LIMIT: '0',
      LEEWARD_LOG_LEVEL: 'warn',
      LEEWARD_DATABASE_URL: 'postgres://db/leeward',
    };
    expect(settings({}, environment)).toEqual({
      demo: false,
      host: '10.0.0.5',
      port: 8080,
      carriers: 'ours',
      dataFolder: '/var/lib/leeward',
      rateLimit: null,
      logLevel: 'warn',
    });
    expect(settings({ port: '0', host: '127.0.0.1', carriers: 'theirs' }, environment)).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      carriers: 'theirs',
    });
    expect(settings({ demo: true }, { PORT: '', LEEWARD_DATA_DIR: '' })).toMatchObject({ port: 3000 });
  });

  it('keeps a demo to this machine and to itself, unless told otherwise', () => {
    expect(() => settings({ demo: true, host: '0.0.0.0' })).toThrow('127.0.0.1 alone, not on 0.0.0.0');
    expect(() => settings({ demo: true }, { LEEWARD_HOST: '10.0.0.5' })).toThrow('not on 10.0.0.5');
    expect(() => settings({ demo: true }, { LEEWARD_DATABASE_URL: 'x' })).toThrow('LEEWARD_DATABASE_URL');
    expect(settings({ demo: true, allowDemo: true, host: '0.0.0.0' }, { LEEWARD_DATABASE_URL: 'x' })).toMatchObject({
      host: '0.0.0.0',
    });
  });

  it('names every fault at once', () => {
    const attempt = () =>
      settings({ demo: true, host: '0.0.0.0' }, { PORT: '99999', LEEWARD_RATE_LIMIT: 'x', LEEWARD_LOG_LEVEL: 'loud' });
    for (const fault of ['0.0.0.0', 'PORT is "99999"', 'LEEWARD_RATE_LIMIT', '"loud"']) expect(attempt).toThrow(fault);
    for (const port of ['-1', '1.5', 'http', '65536', '0x50'])
      expect(() => settings({ demo: true, port })).toThrow('--port');
  });
});
