import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

function loadedBy(entry: string): readonly string[] {
  const seen = new Set<string>();
  const outside = new Set<string>();
  const visit = (url: URL) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    if (url.pathname.endsWith('.generated.ts')) outside.add(url.pathname.replace(/.*\/src\//, ''));
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

describe('each entry point loads only what it needs', () => {
  const counties = 'counties/data.generated.ts';
  const terms = '@leeward/terms';
  const outline = 'point/outline.generated.ts';
  it.each([
    ['./counties/index.ts', [terms, counties]],
    ['./index.ts', [terms, counties, outline]],
    ['./zips/index.ts', [terms, counties, 'fastest-levenshtein', 'geokdbush', 'kdbush']],
    ['./geocoders/index.ts', [terms, 'cockatiel', counties, 'lru-cache']],
    ['./address/index.ts', [terms, counties]],
    ['./testing/index.ts', ['node:assert/strict', 'node:http']],
  ])('%s', (entry, expected) => {
    expect(loadedBy(entry)).toEqual(expected);
  });
});
