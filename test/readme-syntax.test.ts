import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import { packageFolders } from '../scripts/package-folders.ts';
import { workspace } from './support/running-leeward.ts';

/** Guides that people copy from. */
function guides(): string[] {
  const packages = packageFolders(workspace).map(({ path }) => `${path}/README.md`);
  const docs = readdirSync(join(workspace, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...packages, ...docs.map((name) => `docs/${name}`)];
}

const blocks = guides().flatMap((guide) => {
  const text = readFileSync(join(workspace, guide), 'utf8');
  return [...text.matchAll(/^```(ts|js|tsx)\n(.*?)^```$/gms)].map(
    ([, , block], index) => [guide, index, block!] as const,
  );
});

/** Node 22 cannot read `using`; esbuild rewrites it on request and changes nothing else. */
const lowered = (text: string, canRead: boolean) =>
  transformSync(text, { loader: 'ts', target: 'esnext', supported: { using: canRead } }).code;

it('examples are there', () => {
  expect(blocks.length).toBeGreaterThan(20);
});

it.each(blocks)('%s, example %i, is read by every Node that is supported', (_, __, block) => {
  expect(lowered(block, false)).toBe(lowered(block, true));
});
