import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeFlags } from './node-flags.ts';

export interface Example {
  readonly code: string;
  /** What it says that it prints: in the text block behind it, else in comments behind `console.log` or after an arrow. */
  readonly promised: string;
}

/** The TypeScript examples of a package's README, in order. */
export function readmeExamples(packageFolder: string): Example[] {
  return examplesIn(join(packageFolder, 'README.md'));
}

/** The TypeScript examples of a page, in order. */
export function examplesIn(page: string): Example[] {
  return [...readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)].map(
    ([, code, text]) => {
      const comments = code!.matchAll(/console\.log\(.*?\);? \/\/ (?!→)(.*)$|^\/\/ → (.*)$/gm);
      return {
        code: code!,
        promised: text ?? [...comments].map(([, behind, below]) => `${behind ?? below}\n`).join(''),
      };
    },
  );
}

/**
 * Runs examples one after the other in one process, which imports the package by its name as its users do, and gives what
 * each printed and what all wrote to standard error; in a folder of their own, where none is named, so that what they write is gone
 * with it. Rejects where one throws or leaves something open.
 */
export async function runExamples(
  packageFolder: string,
  examples: readonly string[],
  workingFolder?: string,
): Promise<{ readonly printed: string[]; readonly errors: string }> {
  const parent = join(packageFolder, '.leeward');
  mkdirSync(parent, { recursive: true });
  // Within the package: only there does it know itself by its name.
  const folder = mkdtempSync(join(parent, 'readme-'));
  try {
    const files = examples.map((code, index) => {
      const file = join(folder, `example-${index + 1}.ts`);
      writeFileSync(file, code);
      return file;
    });
    // The next begins when nothing is left of the one before.
    const all = `const files = ${JSON.stringify(files)};
let begun = 0;
process.on('beforeExit', async () => {
  if (begun > files.length) return;
  if (begun > 0) process.stdout.write('\\0');
  const file = files[begun++];
  if (file === undefined) return;
  // A turn, so that this is called again where the example itself takes none.
  setImmediate(() => {});
  await import(file);
});
`;
    writeFileSync(join(folder, 'all.ts'), all);
    const options = { cwd: workingFolder ?? folder, timeout: 120_000 };
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [...nodeFlags, join(folder, 'all.ts')],
      options,
    );
    return { printed: stdout.split('\0').slice(0, -1), errors: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests that every example of a README prints what it says; `count` is how many there are. */
export function testReadme(packageFolder: string, count: number): void {
  const examples = readmeExamples(packageFolder);
  describe('the README', () => {
    let run: Awaited<ReturnType<typeof runExamples>>;
    beforeAll(async () => {
      run = await runExamples(
        packageFolder,
        examples.map(({ code }) => code),
      );
    });

    it('has its examples, which warn of nothing', () => {
      expect(examples).toHaveLength(count);
      expect(run.errors).toBe('');
    });

    it.each(examples.map(({ promised }, index) => ({ number: index + 1, promised })))(
      'prints what it says in example $number',
      ({ number, promised }) => expect(run.printed[number - 1]?.trimEnd()).toBe(promised.trimEnd()),
    );
  });
}
