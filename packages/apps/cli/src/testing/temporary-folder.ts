import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder with some files, deleted on disposal. */
export function temporaryFolder(files: Readonly<Record<string, string>> = {}): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'leeward-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
