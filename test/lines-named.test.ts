import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { workspace } from './support/running-leeward.ts';

/** Places that may name lines other than homes, with the reason. All other code reads the line's definition. */
const mayName: readonly (readonly [RegExp, string])[] = [
  [/^packages\/\w+\/lines\//, 'the lines themselves'],
  [/\.test\.ts$|^test\//, 'tests'],
  [/^fixtures\//, 'fixtures: rules and homes that name a condo as a structure, or a flood policy'],
  [/\.md$/, 'documentation'],
  [
    /\/paths\.generated\.ts$|^docs\/architecture\.svg$|^packages\/\w+\/(engine\/schema|authoring\/conformance)\//,
    'generated',
  ],
  [/^scripts\/english\/rules\.ts$/, 'floors and elevations of buildings'],
  [/^scripts\/architecture\/floor-plans\.ts$/, 'the folders of packages/extend/lines, in order'],
  [/^contract\/\.redocly\.lint-ignore\.yaml$/, 'paths that are announced, as the document has them'],
  [
    /^packages\/\w+\/engine\/src\/vocabulary\/home(-details)?\.ts$/,
    'a condo as a structure, and the flood zone and flood policy of a home',
  ],
  [/^packages\/\w+\/authoring\/src\/testing\/corpus\/details\.ts$/, 'the flood zone of a home'],
  [/^packages\/\w+\/quotes\/src\/catalog\/field-options\.ts$/, 'a condo as a dwelling type'],
  [/^benchmarks\/engine\/carriers\.ts$/, 'a condo as a structure'],
  [/^packages\/\w+\/engine\/src\/events\/hazard-event\.ts$/, 'a flood as a kind of event'],
  [/^packages\/\w+\/places\/src\/hazards\//, 'the hazard, and the public map that is named after it'],
  [/^packages\/\w+\/cli\/src\/serve\/open-distances\.ts$/, 'the adapter of that map'],
  [/^packages\/\w+\/places\/src\/address\/street-line\.ts$/, 'a condo as a unit of a building'],
  [/^corpora\/(expected|pinned)\//, 'test cases of other people'],
  [/^corpora\/fuzz\.ts$/, 'the lines of the demo whose API is fuzzed'],
];

it('names lines other than homes only in the listed places', () => {
  const found = execFileSync('git', ['grep', '-ilE', 'condo|flood'], { cwd: workspace, encoding: 'utf8' });
  const files = found.trim().split('\n');
  expect(files.filter((file) => !mayName.some(([pattern]) => pattern.test(file)))).toEqual([]);
  // An exception that matches no file must be removed.
  expect(mayName.filter(([pattern]) => !files.some((file) => pattern.test(file)))).toEqual([]);
});
