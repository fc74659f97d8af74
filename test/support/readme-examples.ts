import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeFlags } from './node-flags.ts';

export interface Example {
  readonly code: string;
  /** Expected output: the text block after the example, else comments behind `console.log` or after an arrow. */
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

/** An example to run. */
export interface ExampleRun {
  /** The package that it imports by its name, as its users do. */
  readonly packageFolder: string;
  readonly code: string;
  /** Working folder. Default: a temporary folder, removed afterwards. */
  readonly workingFolder?: string;
}

/** Standard output and standard error of an example. */
export interface Printed {
  readonly printed: string;
  readonly errors: string;
}

/**
 * Runs examples one after the other in one process: what they share is loaded once. Rejects where one throws or leaves something
 * open.
 */
export async function runExamples(examples: readonly ExampleRun[]): Promise<readonly Printed[]> {
  const folders: string[] = [];
  try {
    const all = examples.map(({ packageFolder, code, workingFolder }, index) => {
      const parent = join(packageFolder, '.leeward');
      mkdirSync(parent, { recursive: true });
      // Within the package: only there does it know itself by its name.
      const folder = mkdtempSync(join(parent, 'readme-'));
      folders.push(folder);
      const file = join(folder, `example-${index + 1}.ts`);
      writeFileSync(file, code);
      return { file, folder: workingFolder ?? folder };
    });
    // The next begins when nothing is left of the one before.
    const program = `const all = ${JSON.stringify(all)};
let begun = 0;
process.on('beforeExit', async () => {
  if (begun > all.length) return;
  if (begun > 0) for (const stream of [process.stdout, process.stderr]) stream.write('\\0');
  const example = all[begun++];
  if (example === undefined) return;
  // A turn, so that this is called again where the example itself takes none.
  setImmediate(() => {});
  process.chdir(example.folder);
  await import(example.file);
});
`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [...nodeFlags, '--input-type=module', '--eval', program],
      { timeout: 240_000 },
    );
    const errors = stderr.split('\0');
    return stdout
      .split('\0')
      .slice(0, -1)
      .map((printed, index) => ({ printed, errors: errors[index]! }));
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
