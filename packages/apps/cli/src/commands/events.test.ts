import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

it('posts, lists, ends and deletes events in the store', async () => {
  using folder = temporaryFolder();
  const run = (words: string) => runWords(['events', ...words.split(' ')], { folder: folder.path });
  expect(await run('list')).toMatchObject({ code: 0, output: 'There are no events.\n' });
  const posted = await run(
    'post --id al05 --kind hurricane --name Elena --position 27.1,-84.2 --from 2020-01-01T00:00:00Z --alert watch',
  );
  expect(posted).toMatchObject({ code: 0, errors: '' });
  expect(posted.output).toBe('al05: hurricane Elena, standing, from 2020-01-01T00:00:00Z, no end (revision 1)\n');
  const again = await run('post --id al05 --kind hurricane --states fl --from 2020-01-01T00:00:00Z');
  expect(again.code).toBe(1);
  expect(again.errors).toContain('give its revision to replace it');
  const replaced = await run('post --id al05 --kind hurricane --states fl --from 2020-01-01T00:00:00Z --revision 1');
  expect(replaced).toMatchObject({ code: 0 });
  expect(JSON.parse((await run('list --format json')).output)).toMatchObject([
    { event_id: 'al05', event: { states: ['fl'] }, state: 'standing', revision: 2 },
  ]);
  expect((await run('end al05 --why over')).output).toContain('al05: hurricane, ended');
  expect((await run('delete al05')).output).toContain('Deleted al05');
  expect((await run('delete al05')).code).toBe(1);
});

it('posts the events of a file, or none of them if one has a fault', async () => {
  using folder = temporaryFolder();
  const run = (words: string) => runWords(['events', ...words.split(' ')], { folder: folder.path });
  const event = (id: string, kind = 'wildfire') => ({ id, kind, counties: ['06037'], from: '2020-01-01T00:00:00Z' });
  const file = (content: unknown) => writeFileSync(join(folder.path, 'events.json'), JSON.stringify(content));
  file([event('a'), event('b', 'wildfyre')]);
  const refused = await run('post events.json');
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain('1/kind: kind is "wildfyre"');
  expect(refused.errors).toContain('Did you mean "wildfire"?');
  expect((await run('list')).output).toBe('There are no events.\n');
  file({ events: [event('a'), event('b')] });
  expect((await run('post events.json')).output.match(/wildfire, standing/g)).toHaveLength(2);
});

it.each([
  ['post --id a', 'Give a file, or describe the event'],
  ['post --id a --kind flood --position 27', '--position is "27"; give latitude and longitude'],
  ['post nowhere.json', 'There is no file nowhere.json'],
])('events %s exits 2 with the way out', async (words, message) => {
  using folder = temporaryFolder();
  const { code, errors } = await runWords(['events', ...words.split(' ')], { folder: folder.path });
  expect(code).toBe(2);
  expect(errors).toContain(message);
});
