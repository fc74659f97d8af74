import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runWords } from '../../testing/run-words.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const asked: string[] = [];
let close: (() => void) | undefined;
afterEach(() => {
  close?.();
  asked.length = 0;
});

/** An office whose files hold their own names. */
async function office(has: (path: string) => boolean): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (has(url)) response.writeHead(200, { etag: `"${url}"` }).end(url);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('leeward coast fetch', () => {
  it('names the offices’ own addresses, those of coastal counties alone', async () => {
    const words = ['coast', 'fetch', '--source', 'tiger-areawater', '--states', 'FL,Georgia', '--list'];
    const { output, code } = await runWords(words);
    expect(code).toBe(0);
    const lines = output.trim().split('\n');
    expect(lines).toContain('https://www2.census.gov/geo/tiger/TIGER2024/AREAWATER/tl_2024_12086_areawater.zip');
    expect(lines.some((line) => line.includes('_13051_'))).toBe(true);
    // Atlanta is not coastal.
    expect(lines.some((line) => line.includes('_13121_'))).toBe(false);
    const nhd = await runWords(['coast', 'fetch', '--source', 'nhd', '--states', 'NC', '--list']);
    expect(nhd.output).toBe(
      'https://prd-tnm.s3.amazonaws.com/StagedProducts/Hydrography/NHD/State/Shape/NHD_H_North_Carolina_State_Shape.zip\n',
    );
  });

  it('fetches each file once, prints the licence and stores the hashes', async () => {
    using folder = temporaryFolder();
    const base = await office(() => true);
    const words = ['coast', 'fetch', '--source', 'tiger-areawater', '--counties', '12086,12087', '--base', `${base}/`];
    const first = await runWords([...words, '--out', 'water'], { folder: folder.path });
    expect(first.errors).toContain('in the public domain');
    expect(first.output).toContain('2 files in water');
    expect(first.output).toContain('Next: leeward coast build water/tl_2024_12086_areawater.zip');
    const list = JSON.parse(readFileSync(join(folder.path, 'water/coastline-sources.json'), 'utf8'));
    const text = '/TIGER2024/AREAWATER/tl_2024_12086_areawater.zip';
    expect(list.files['tl_2024_12086_areawater.zip']).toMatchObject({
      url: `${base}${text}`,
      sha256: createHash('sha256').update(text).digest('hex'),
      etag: `"${text}"`,
      licence: expect.stringContaining('public domain'),
    });
    expect(asked).toHaveLength(2);
    writeFileSync(join(folder.path, 'water/tl_2024_12087_areawater.zip'), 'spoilt');
    const again = await runWords([...words, '--out', 'water'], { folder: folder.path });
    expect(again.errors).toContain('tl_2024_12086_areawater.zip: here already, unchanged');
    expect(again.errors).toContain('so it is fetched again');
    expect(asked).toHaveLength(3);
  });

  it('checks files against the hashes of a list', async () => {
    using folder = temporaryFolder({
      'expected.json': JSON.stringify({ files: { 'tl_2024_us_coastline.zip': { sha256: '0'.repeat(64) } } }),
    });
    const base = await office(() => true);
    const words = ['coast', 'fetch', '--source', 'tiger-coastline', '--base', base, '--expect', 'expected.json'];
    const { code, errors } = await runWords(words, { folder: folder.path });
    expect(code).toBe(1);
    expect(errors).toContain(', not 0000');
    const other = await runWords([...words, '--year', '2023'], { folder: folder.path });
    expect(other.errors).toContain('has no SHA-256 of tl_2023_us_coastline.zip');
  });

  it('skips tiles without a shore, and fails if every file is missing', async () => {
    using folder = temporaryFolder();
    const base = await office((path) => path === '/N25W080.zip');
    const words = ['coast', 'fetch', '--source', 'cusp', '--states', 'FL', '--base', base];
    const { code, errors, output } = await runWords(words, { folder: folder.path });
    expect(code).toBe(0);
    expect(output).toContain('1 file in coastlines/cusp');
    expect(errors).toContain('this tile is not on the server');
    const none = await runWords(['coast', 'fetch', '--source', 'nhd', '--states', 'FL', '--base', base], {
      folder: folder.path,
    });
    expect(none.code).toBe(1);
    expect(none.errors).toContain('there is no such file (404)');
  });

  it.each([
    [['--source', 'osm', '--states', 'FL'], '--source is "osm"; give tiger-coastline'],
    [['--source', 'nhd'], 'Name the states'],
    [['--source', 'nhd', '--states', 'FL,XX'], '--states names "XX"'],
    [['--source', 'tiger-areawater', '--counties', '1'], '--counties names "1"'],
    [['--source', 'nhd', '--states', 'FL', '--base', 'ftp://x'], '--base is "ftp://x"'],
    [['--source', 'nhd', '--states', 'FL', '--year', '24'], '--year is "24"'],
  ])('refuses %j', async (words, sentence) => {
    const { code, errors } = await runWords(['coast', 'fetch', ...words]);
    expect(code).toBe(1);
    expect(errors).toContain(sentence);
  });
});
