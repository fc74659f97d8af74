import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openResumableFile } from './resumable-file.ts';
import { readWholeRecords } from './whole-records.ts';

const identity = { input: 'a', coast: 'tidal' };
const head = 'id,note\n';
const records = ['1,plain\n', '2,"two\nlines, and a ""mark"""\n', '3,\n', '4,"\n"\n'];
const text = head + records.join('');

function setUp() {
  const folder = temporaryFolder();
  const path = join(folder.path, 'out.csv');
  const open = (options = {}) =>
    openResumableFile(path, 'out.csv', { identity, restart: false, quoted: true, ...options });
  return { folder, path, open, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe('a file that a run goes on with', () => {
  it('keeps whole records and drops a torn one, wherever it was cut', async () => {
    using file = setUp();
    const ends = [0, head.length];
    for (const record of records) ends.push(ends.at(-1)! + record.length);
    file.open().keep();
    for (let cut = 0; cut <= text.length; cut += 1) {
      writeFileSync(`${file.path}.partial`, text);
      truncateSync(`${file.path}.partial`, cut);
      const opened = file.open();
      const whole = ends.findLast((end) => end <= cut)!;
      expect([cut, opened.wholeBytes]).toEqual([cut, whole]);
      const read: string[] = [];
      if (whole > 0)
        for await (const record of readWholeRecords(opened, { quoted: true, head })) read.push(`${record}\n`);
      expect(read).toEqual(records.slice(0, Math.max(0, ends.indexOf(whole) - 1)));
      opened.append(text.slice(whole));
      opened.keep();
      expect(readFileSync(`${file.path}.partial`, 'utf8')).toBe(text);
    }
  });

  it('has its name when it is complete, and leaves nothing else', () => {
    using file = setUp();
    const opened = file.open();
    opened.append(text);
    expect(existsSync(file.path)).toBe(false);
    opened.finish();
    expect(readFileSync(file.path, 'utf8')).toBe(text);
    for (const end of ['partial', 'progress', 'progress-journal'])
      expect(existsSync(`${file.path}.${end}`)).toBe(false);
    expect(() => file.open()).toThrow('out.csv is there already');
    file.open({ restart: true }).keep();
    expect(existsSync(file.path)).toBe(false);
  });

  it.each([true, false])('does not replace a pipe or a device (restart: %s)', (restart) => {
    using file = setUp();
    execFileSync('mkfifo', [file.path]);
    expect(() => file.open({ restart })).toThrow('out.csv is not a regular file');
    expect(lstatSync(file.path).isFIFO()).toBe(true);
  });

  it('resumes only with the inputs of the first run', () => {
    using file = setUp();
    const opened = file.open();
    opened.append(text);
    opened.keep();
    expect(() => file.open({ identity: { input: 'b', coast: 'tidal' } })).toThrow('begun with another input:');
    expect(() => file.open({ identity: { input: 'b', coast: 'ocean' } })).toThrow('another input and coast:');
    expect(file.open({ identity: { input: 'b', coast: 'ocean' }, restart: true }).wholeBytes).toBe(0);
  });

  it('detects progress that is lost or foreign', () => {
    using file = setUp();
    file.open().keep();
    rmSync(`${file.path}.progress`);
    expect(() => file.open()).toThrow('begun with another input and coast');
    writeFileSync(
      `${file.path}.progress`,
      'a shopping list, long enough to be taken for a database, if one looks at its size alone',
    );
    expect(() => file.open()).toThrow('not a file of this command');
  });

  it('belongs to one at a time', () => {
    using file = setUp();
    const opened = file.open();
    expect(() => file.open()).toThrow('Another run is writing out.csv');
    expect(() => file.open({ restart: true })).toThrow('Another run is writing out.csv');
    opened.keep();
    file.open().keep();
  });
});
