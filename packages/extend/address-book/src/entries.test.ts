import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Modules that an entry point loads, also indirectly. */
function loadedBy(entry: string): readonly string[] {
  const seen = new Set<string>();
  const outside = new Set<string>();
  const visit = (url: URL) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, clause, specifier] of readFileSync(url, 'utf8').matchAll(
      /^(?:import|export) ([^;]*?)from '([^']+)';/gms,
    )) {
      const isTypeOnly = clause!.startsWith('type ') || /^\{(?:\s*type \w+,?)+\s*\}/.test(clause!);
      if (isTypeOnly) continue;
      if (specifier!.startsWith('.')) visit(new URL(specifier!, url));
      else outside.add(specifier!);
    }
  };
  visit(new URL(entry, import.meta.url));
  return [...outside].sort();
}

describe('the entry loads no more than it needs', () => {
  const places = ['@leeward/places', '@leeward/places/address'];
  it.each([
    ['./index.ts', [...places, 'lru-cache', 'node:fs', 'node:sqlite']],
    [
      './run-import.ts',
      [
        ...places,
        '@leeward/places/counties',
        '@leeward/places/zips',
        '@leeward/rows',
        'lru-cache',
        'node:fs',
        'node:fs/promises',
        'node:path',
        'node:sqlite',
        'node:stream',
        'node:stream/consumers',
        'node:util',
        'node:zlib',
        'shapefile',
        'stream-json/filters/pick.js',
        'stream-json/streamers/stream-array.js',
        'yauzl',
      ],
    ],
  ])('%s', (entry, expected) => {
    expect(loadedBy(entry)).toEqual(expected);
  });
});
