import { resolve } from 'node:path';

/** Location of a database, parsed from its URL. */
export type Location =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'sqlite'; readonly file: ':memory:' }
  | { readonly engine: 'postgres'; readonly url: string };

/**
 * `sqlite:path`, `sqlite:///absolute/path`, `sqlite::memory:`, `postgres://…` or `postgresql://…`.
 *
 * @throws {TypeError} For other URLs. The message repeats only the scheme, because the rest may hold a password.
 */
export function parseLocation(url: string): Location {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'postgres' || scheme === 'postgresql') return { engine: 'postgres', url };
  if (scheme !== 'sqlite') {
    const received = scheme === undefined ? 'no scheme' : `the scheme "${scheme.slice(0, 20)}"`;
    throw new TypeError(
      `A database URL is sqlite:path, sqlite::memory: or postgres://user@host/name; this one has ${received}.`,
    );
  }
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === ':memory:') return { engine: 'sqlite', file: ':memory:' };
  if (path === '' || path.includes('\0')) {
    throw new TypeError('sqlite: needs a path after the colon, for example sqlite:leeward.db, or sqlite::memory:.');
  }
  // Not a `file:` URI.
  return { engine: 'sqlite', file: resolve(path) };
}

/** Without user and password. */
export function describeLocation(location: Location): string {
  if (location.engine === 'sqlite') return `sqlite:${location.file}`;
  const parsed = URL.canParse(location.url) ? new URL(location.url) : undefined;
  // A password with # or / would be displayed.
  const torn = parsed?.username === '' && location.url.includes('@');
  return parsed === undefined || torn ? 'postgres://…' : `postgres://${parsed.host}${parsed.pathname}`;
}
