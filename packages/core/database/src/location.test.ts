import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeLocation, parseLocation } from './location.ts';

describe('parseLocation', () => {
  it('reads the three forms of sqlite:', () => {
    expect(parseLocation('sqlite::memory:')).toEqual({ engine: 'sqlite', file: ':memory:' });
    expect(parseLocation('sqlite:data/leeward.db')).toEqual({ engine: 'sqlite', file: resolve('data/leeward.db') });
    expect(parseLocation('sqlite:///var/leeward.db')).toEqual({ engine: 'sqlite', file: '/var/leeward.db' });
    expect(parseLocation('SQLITE:a.db').engine).toBe('sqlite');
  });

  it('never lets a name be read as a URI', () => {
    expect(parseLocation('sqlite:file:a.db?mode=memory')).toEqual({
      engine: 'sqlite',
      file: resolve('file:a.db?mode=memory'),
    });
  });

  it.each(['postgres://a:b@host/name', 'postgresql://host/name'])('takes %s for PostgreSQL', (url) => {
    expect(parseLocation(url)).toEqual({ engine: 'postgres', url });
  });

  it.each(['', 'leeward.db', 'mysql://root:hunter2@host/x', 'sqlite:', 'sqlite:a\0b'])('refuses %j', (url) => {
    expect(() => parseLocation(url)).toThrow(TypeError);
  });

  it('repeats no password in its refusal', () => {
    expect(() => parseLocation('mysql://root:hunter2@host/x')).toThrow(/^((?!hunter2).)*$/);
  });
});

describe('describeLocation', () => {
  it('leaves user, password and settings out', () => {
    const location = parseLocation('postgres://me:hunter2@db.example:5433/leeward?sslpassword=hunter3');
    expect(describeLocation(location)).toBe('postgres://db.example:5433/leeward');
    for (const url of ['postgres://[', 'postgres://me:12#x@host/db', 'postgres://me:12/x@host/db']) {
      expect(describeLocation({ engine: 'postgres', url })).toBe('postgres://…');
    }
    expect(describeLocation(parseLocation('sqlite::memory:'))).toBe('sqlite::memory:');
  });
});
