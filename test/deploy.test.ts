import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runWords } from '../packages/cli/src/testing/run-words.ts';

// No image can be built where the tests run: what the files name must exist.
const folder = join(import.meta.dirname, '../deploy');
const texts = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /Dockerfile$|\.yaml$/.test(file))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
);

it.each([...texts].filter(([file]) => file.endsWith('.yaml')))('%s is YAML', (_, text) => {
  const documents = parseAllDocuments(text, { merge: true });
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
});

it.each([...texts])('%s sets only settings that there are', async (_, text) => {
  const { output } = await runWords(['config', '--demo', '--json']);
  const known = (JSON.parse(output) as { settings: { variable: string }[] }).settings.map(({ variable }) => variable);
  const named = text.match(/LEEWARD_[A-Z_]+/g) ?? [];
  expect(named.filter((variable) => !known.includes(variable))).toEqual([]);
});

it.each([...texts])('%s starts commands that there are', async (file, text) => {
  const { output } = await runWords(['--help']);
  const known = [...output.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const started = [...text.matchAll(/^\s*(?:args:|command:|CMD) \["?([a-z]+)"?(?:, (?!-e)|\])/gm)].map(
    ([, name]) => name,
  );
  expect(started.filter((name) => name !== 'redis' && name !== 'node' && !known.includes(name))).toEqual([]);
  if (/kubernetes|Dockerfile/.test(file)) expect(started.length).toBeGreaterThan(0);
});
