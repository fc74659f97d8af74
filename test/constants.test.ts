import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspace } from './support/running-leeward.ts';

const modules = globSync(
  ['packages/*/*/src/**/*.{ts,tsx}', 'data-recipes/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'],
  {
    cwd: workspace,
    exclude: (name) => name === 'node_modules',
  },
);

/** A number, or what is reckoned of numbers. */
const number = /^(?:export )?const ([a-z]\w*)(?:: \w+)? = ([-\d_.en*+/() <]*\d[-\d_.en*+/() <]*);$/gm;
/** Words for a limit other than `max` and `min`. */
const limit =
  /^(?:export )?const ((?:LONGEST|LARGEST|MOST|DEEPEST|WIDEST|FARTHEST|MAXIMUM|SHORTEST|SMALLEST|LEAST|FEWEST|NARROWEST|MINIMUM)(?:_\w+)?|(?:longest|largest|most|deepest|widest|farthest|maximum|shortest|smallest|least|fewest|narrowest|minimum)[A-Z]\w*)\b/gm;

const namesIn = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => name!);

it.each([
  ['const dayMs = 86_400_000;', number, ['dayMs']],
  ['export const maxBytes = 2 ** 31 - 8;', number, ['maxBytes']],
  ['const tenth: number = -(1e-1 / 10);', number, ['tenth']],
  ['const DAY_MS = 86_400_000;\nconst start = performance.now();\n  const inner = 5;', number, []],
  [
    'const LONGEST_WAIT_MS = 5;\nconst mostKept = 10;\nconst DEEPEST = 3;',
    limit,
    ['LONGEST_WAIT_MS', 'mostKept', 'DEEPEST'],
  ],
  ['const MAX_WAIT_MS = 5;\nconst longest = (texts) => 1;', limit, []],
])('finds in %j what is misnamed', (text, pattern, expected) => {
  expect(namesIn(text, pattern)).toEqual(expected);
});

it.each([
  ['numbers are in capitals', number],
  ['limits are called max and min', limit],
])('of all modules, %s', (_, pattern) => {
  expect(modules.length).toBeGreaterThan(1_500);
  const misnamed = modules.flatMap((module) =>
    namesIn(readFileSync(join(workspace, module), 'utf8'), pattern).map((name) => `${module}: ${name}`),
  );
  expect(misnamed).toEqual([]);
});
