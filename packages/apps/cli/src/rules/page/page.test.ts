import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWords } from '../../testing/run-words.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const bayou = new URL('../../../../../../fixtures/carriers/bayou_mutual/', import.meta.url);
const asOf = ['--as-of', '2026-11-20'];

interface File {
  version: string;
  carrier: { name: string };
  allow?: object[];
  rules: { id: string; message: string; when: { all: { value: number }[] } }[];
}

/** A folder with the rule set of today, and one that somebody edited. */
function folderWith(edit: (file: File) => void) {
  const folder = temporaryFolder({
    'book.csv': 'state,county,policy_type,total_claims\ntx,harris,ho3,2\ntx,travis,ho3,0\ntx,travis,ho3,many\n',
  });
  cpSync(bayou, join(folder.path, 'before'), { recursive: true });
  cpSync(bayou, join(folder.path, 'after'), { recursive: true });
  const path = join(folder.path, 'after/rule-set.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as File;
  edit(file);
  writeFileSync(path, JSON.stringify(file));
  return folder;
}
const whole = (folder: string, ...words: string[]) =>
  runWords(['rules', 'sign-off', 'after/rule-set.json', '--out', 'sheet.html', ...asOf, ...words], { folder });
const sheetOf = (folder: string) => readFileSync(join(folder, 'sheet.html'), 'utf8');

/** The page is self-contained. */
function expectSelfContained(page: string) {
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).not.toMatch(/<script|<link|<img|https?:|url\(|@import/i);
  expect(page).toContain("default-src 'none'");
}

describe('leeward rules sign-off', () => {
  it('lists objections to approval, with the same bytes each time', async () => {
    using folder = folderWith((file) => {
      file.version = '2027.1';
      file.rules.find(({ id }) => id === 'claims')!.when.all[0]!.value = 1;
    });
    const words = ['--base', 'before/rule-set.json', '--book', 'book.csv'];
    const first = await whole(folder.path, ...words);
    expect(first).toMatchObject({
      code: 1,
      output: expect.stringContaining('not ready to be signed: 1 expectation of a case fails'),
    });
    const page = sheetOf(folder.path);
    expectSelfContained(page);
    expect(page).toContain('✕ Not ready to be signed: 1 expectation of a case fails; 2 findings are not explained.');
    expect(page).toContain('message_names_another_limit');
    expect(page).toContain('Of 2 policies that were read, <strong>1</strong> (50.0 %) are answered otherwise');
    expect(page).toContain('1 of 3 lines could not be read');
    await whole(folder.path, ...words);
    expect(sheetOf(folder.path)).toBe(page);
  });

  it('is ready where all is well, and shows what is allowed with its reason', async () => {
    using folder = folderWith((file) => {
      file.allow = [{ code: 'gap_policy_type', why: 'Only what <the guide> names.' }];
    });
    expect(await whole(folder.path)).toMatchObject({ code: 0 });
    const page = sheetOf(folder.path);
    expect(page).toContain('✓ Nothing stands against signing.');
    expect(page).toContain('<strong>Allowed:</strong> Only what &lt;the guide&gt; names.');
  });

  it('does not let a name or a message become markup', async () => {
    using folder = folderWith((file) => {
      file.carrier.name = '<img src=x onerror=alert(1)>';
      file.rules[0]!.message = '</table><script>alert(2)</script>';
    });
    await whole(folder.path);
    expectSelfContained(sheetOf(folder.path));
  });

  it('requires an output page, and an earlier version if a book is given', async () => {
    using folder = folderWith(() => undefined);
    const words = ['rules', 'sign-off', 'after/rule-set.json', '--out'];
    expect(await runWords([...words, 'sheet.txt'], { folder: folder.path })).toMatchObject({ code: 2 });
    expect(await runWords([...words, 'a.html', '--book', 'book.csv'], { folder: folder.path })).toMatchObject({
      code: 2,
    });
  });
});

describe('leeward rules --format html', () => {
  it('coverage shows each rule with the cases that reach it', async () => {
    using folder = folderWith(() => undefined);
    const { output } = await runWords(['rules', 'coverage', 'before', ...asOf, '--format', 'html'], {
      folder: folder.path,
    });
    expectSelfContained(output);
    const rows = output.match(/<tr><th scope="row">/g);
    expect(rows).toHaveLength(36);
    const [claims] = /<code>claims<\/code>.*?<\/tr>/s.exec(output)!;
    expect(claims).toMatch(/heat[1-4]">\d+</);
    expect(claims).toContain('of 2');
  });

  it('diff shows the change and the book', async () => {
    using folder = folderWith((file) => {
      file.rules.find(({ id }) => id === 'claims')!.when.all[0]!.value = 1;
    });
    const words = ['before/rule-set.json', 'after/rule-set.json', '--book', 'book.csv', ...asOf, '--format', 'html'];
    const { output } = await runWords(['rules', 'diff', ...words], { folder: folder.path });
    expectSelfContained(output);
    expect(output).toContain('newly_declined');
    expect(output).toMatch(/<th scope="row">claims<\/th><td><span class="bar" style="width:100.0%">/);
  });
});
