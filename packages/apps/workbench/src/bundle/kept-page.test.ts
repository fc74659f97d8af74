import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keptPage } from './kept-page.ts';

const workspace = `${mkdtempSync(join(tmpdir(), 'leeward-kept-page-'))}/`;
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const write = (path: string, text: string) => {
  mkdirSync(join(workspace, path, '..'), { recursive: true });
  writeFileSync(join(workspace, path), text);
};
write('packages/apps/workbench/package.json', '{ "devDependencies": { "@leeward/coast": "0.0.0", "preact": "1" } }');
write('packages/apps/workbench/src/main.ts', 'main');
write('packages/core/coast/package.json', '{ "dependencies": { "@leeward/terms": "0.0.0" } }');
write('packages/core/coast/data/us.shoreline', 'shore');
write('packages/core/terms/package.json', '{}');
write('packages/core/http/src/index.ts', 'no part of the page');
write('package-lock.json', '{}');

let made = 0;
const ask = (more = 'as ever', inputs = ['packages/apps/workbench/src/main.ts', 'node_modules/preact/index.js']) =>
  keptPage(more, async () => ({ texts: new Map([['index.html', `page ${++made}`]]), inputs }), workspace);

it('builds a page once, and again when one of its inputs changes', async () => {
  expect(await ask()).toEqual(new Map([['index.html', 'page 1']]));
  expect(await ask()).toEqual(new Map([['index.html', 'page 1']]));
  const others = [
    ['packages/apps/workbench/src/main.ts', 'edited'],
    ['packages/apps/workbench/src/view.ts', 'new'],
    ['packages/core/coast/data/us.shoreline', 'moved'],
    ['packages/core/terms/src/index.ts', 'a dependency of a dependency'],
    ['package-lock.json', '{ "preact": 2 }'],
  ] as const;
  for (const [index, [path, text]] of others.entries()) {
    write(path, text);
    expect(await ask()).toEqual(new Map([['index.html', `page ${index + 2}`]]));
    expect(await ask()).toEqual(new Map([['index.html', `page ${index + 2}`]]));
  }
  expect(await ask('another year')).toEqual(new Map([['index.html', 'page 7']]));
  write('packages/core/http/src/index.ts', 'edited');
  write('packages/apps/workbench/src/main.test.ts', 'a test');
  expect(await ask('another year')).toEqual(new Map([['index.html', 'page 7']]));
});

it('builds the page each time if its inputs are not watched or the cache is truncated', async () => {
  const before = made;
  await ask('unwatched', ['packages/core/http/src/index.ts']);
  await ask('unwatched', ['packages/core/http/src/index.ts']);
  expect(made).toBe(before + 2);
  write('node_modules/.cache/leeward-page.json', '{"state":"');
  await ask('cut');
  expect(made).toBe(before + 3);
});
