import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFinalFile, removeFolder, removeWorking, WORKING } from './final-file.ts';

const writesUntilGone = `
  const { existsSync, mkdirSync, renameSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData: { parts, id } } = require('node:worker_threads');
  for (let file = 0; existsSync(parts); file++) {
    if (file === 20) parentPort.postMessage('writes');
    try {
      if (!existsSync(parts + '/${WORKING}')) mkdirSync(parts + '/${WORKING}');
      const partial = parts + '/${WORKING}/' + id + '-' + file;
      writeFileSync(partial, '');
      renameSync(partial, parts + '/' + id);
    } catch {}
  }
`;

let folder: string;
const at = (name: string) => join(folder, name);
const working = () => readdirSync(at(WORKING));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-final-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a file that has its name when it is complete', () => {
  it('is not lost to another run that ends meanwhile in the same folder', () => {
    const slow = createFinalFile(at('slow.ndjson'));
    const quick = createFinalFile(at('quick.ndjson'));
    quick.finish();
    removeWorking(at('quick.ndjson'));
    slow.write(Buffer.from('kept\n'));
    slow.finish();
    removeWorking(at('slow.ndjson'));
    expect(readFileSync(at('slow.ndjson'), 'utf8')).toBe('kept\n');
    expect(readdirSync(folder).sort()).toEqual(['quick.ndjson', 'slow.ndjson']);
  });

  it('removes the files of ended runs', () => {
    mkdirSync(at(WORKING));
    const gone = 2 ** 22 + 1;
    const old = new Date(Date.now() - 2 * 86_400_000);
    const left = [`a.${gone}@${hostname()}`, 'b.17@another-machine', 'c.of-an-older-release'];
    for (const name of left) writeFileSync(join(at(WORKING), name), '');
    for (const name of left.slice(1)) utimesSync(join(at(WORKING), name), old, old);
    writeFileSync(join(at(WORKING), 'd.17@another-machine'), '');
    removeWorking(at('any'));
    expect(working()).toEqual(['d.17@another-machine']);
  });

  it('is removed with its folder while several late workers still write', async () => {
    for (let round = 0; round < 4; round++) {
      const parts = at('book.parquet.parts');
      mkdirSync(parts);
      const late = [1, 2].map((id) => new Worker(writesUntilGone, { eval: true, workerData: { parts, id } }));
      const ended = Promise.all(late.map((worker) => once(worker, 'exit')));
      await Promise.all(late.map((worker) => once(worker, 'message')));
      removeFolder(parts);
      await ended;
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('does not bring back a folder that was put away', () => {
    expect(() => createFinalFile(at('gone/x.ndjson'))).toThrow('ENOENT');
  });
});
