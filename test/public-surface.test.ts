import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  breaches,
  compareWithRatchet,
  droppableNames,
  readRatchet,
  readSurface,
  rules,
  shrinkRatchet,
} from '../scripts/public-surface/surface.ts';
import { workspace } from './support/running-leeward.ts';

const surface = readSurface(workspace);

describe('the entry points of the packages', () => {
  it('are found, with names that they re-export', () => {
    expect(surface.length).toBeGreaterThan(20);
    expect(surface.filter(({ names }) => names.length === 0).map(({ specifier }) => specifier)).toEqual([]);
    const engine = surface.find(({ specifier }) => specifier === '@leeward/engine');
    expect(engine?.names.find(({ name }) => name === 'createCatalog')?.place).toMatch(
      /^packages\/(core\/)?engine\/src\/catalog\/.*\.ts:\d+$/,
    );
  });

  it('have a doc comment over every exported name', () => {
    const bare = surface.flatMap(({ specifier, names }) =>
      names
        .filter(({ hasComment, place }) => !hasComment && place !== undefined && !place.includes('.generated.ts'))
        .map(({ name, place }) => `${specifier} ${name} (${place})`),
    );
    expect(bare).toEqual([]);
  });

  it.each(rules)('have no new name in breach of the rule "%s"', (rule) => {
    expect(compareWithRatchet(breaches(surface, rule), readRatchet(rule), rule)).toEqual([]);
  });

  it('export every name that a README lists under "Exports"', () => {
    const vain = surface.flatMap(({ specifier, unexportedRows }) =>
      unexportedRows.map((name) => `${specifier} ${name}`),
    );
    expect(vain).toEqual([]);
  });
});

describe('a planted package', () => {
  const root = mkdtempSync(join(tmpdir(), 'leeward-surface-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const files = {
    'package.json': JSON.stringify({
      name: '@leeward/planted',
      type: 'module',
      exports: {
        '.': { '@leeward/source': './src/index.ts' },
        './inner': { '@leeward/source': './src/inner.ts' },
        './package.json': './package.json',
      },
    }),
    'README.md': `# @leeward/planted

\`openShore(file)\` opens it; \`Shore\` is what it gives. Text without backticks: hiddenName. \`shore.hiddenName\` is a member.

\`\`\`ts
import { inExample } from '@leeward/planted';
const declaredHere = inExample({ hiddenName: 1 });
declaredHere.hiddenName;
\`\`\`

## Exports

### \`@leeward/planted\`

| name | what it is |
|---|---|
| \`listed\`, \`ShoreOptions<T>\` | Two names. |
| \`gone(a)\` | \`hiddenName\` is only mentioned. |

### \`@leeward/planted/inner\`

| name | what it is |
|---|---|
| \`onlyInner\` | One name. |

### \`@leeward/planted/missing\`

## After

\`afterwards\` is explained.
`,
    'src/index.ts': `export { listed, type Shore, type ShoreOptions, openShore } from './shore.ts';
export { onlyInner } from './inner.ts';
/** Has an example.
 * @example inExample(1)
 */
export const inExample = (value: unknown) => value;
export const hiddenName = '';
export const declaredHere = '';
export const afterwards = '';
`,
    'src/inner.ts': "export const onlyInner = '';\n",
    'src/shore.ts': `/** Opens. */
export function openShore(file: string): Shore { return file; }
export type Shore = string;
export const listed = '';
/** Options. */
export interface ShoreOptions<T> {
  readonly required: T;
  /** Maximum size. @default 4 */
  readonly tagged?: number;
  /** If omitted, the system's clock. */
  readonly stated?: number;
  /** Maximum time, in ms. */
  readonly bare?: number;
  readonly uncommented?: number;
}
`,
  };
  const folder = join(root, 'packages/core/planted');
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const planted = readSurface(root);

  it('breaks the rule for an exported name that the README does not explain', () => {
    expect(breaches(planted, 'undocumented')).toEqual({
      '@leeward/planted': ['declaredHere', 'hiddenName', 'onlyInner'],
    });
  });

  it('is refused a name under "Exports" that it does not export, and an entry point that it does not have', () => {
    expect(planted.map(({ specifier, unexportedRows }) => [specifier, unexportedRows])).toEqual([
      ['@leeward/planted', ['gone', '@leeward/planted/missing']],
      ['@leeward/planted/inner', []],
    ]);
  });

  it('breaks the rule for an explained function without an example', () => {
    expect(breaches(planted, 'without-example')).toEqual({ '@leeward/planted': ['openShore'] });
  });

  it('breaks the rule for an optional property that does not state its default', () => {
    expect(breaches(planted, 'without-default')).toEqual({
      '@leeward/planted': ['ShoreOptions.bare', 'ShoreOptions.uncommented'],
    });
  });

  it('can drop a name that is neither explained nor imported nor in the types of one that is', () => {
    const names = planted[0]!.names.map((each) => ({ ...each, isExplained: each.name === 'openShore' }));
    const entry = { ...planted[0]!, names };
    expect(droppableNames(entry, (name) => name === 'afterwards')).toEqual([
      'ShoreOptions',
      'declaredHere',
      'hiddenName',
      'inExample',
      'listed',
      'onlyInner',
    ]);
  });

  it('has no doc comment over some names', () => {
    const bare = planted.flatMap(({ names }) => names.filter(({ hasComment }) => !hasComment).map(({ name }) => name));
    expect(bare).toEqual(['Shore', 'afterwards', 'declaredHere', 'hiddenName', 'listed', 'onlyInner', 'onlyInner']);
  });
});

describe('a list of exceptions', () => {
  const allowed = { a: ['one', 'two'], old: ['moved', 'same'] };

  it('accepts the breaches that it lists', () => {
    expect(compareWithRatchet(allowed, allowed, 'undocumented')).toEqual([]);
  });

  it('rejects an unlisted breach, and an entry that is fixed', () => {
    expect(compareWithRatchet({ a: ['one', 'three'] }, { a: ['one', 'two'] }, 'without-example')).toEqual([
      'a three: add an `@example` to its doc comment',
      'a two: remove it from without-example.json (npm run surface -- --write)',
    ]);
  });

  it('shrinks: drops fixed entries, follows a moved name, and adds no new name', () => {
    expect(shrinkRatchet({ a: ['one', 'three'], fresh: ['moved', 'same'], old: ['same'] }, allowed)).toEqual({
      a: ['one'],
      fresh: ['moved'],
      old: ['same'],
    });
  });
});
