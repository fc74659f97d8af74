import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AuditDestination, AuditLine } from './audit-destination.ts';

/**
 * Appends lines to a file, on disk when `send` resolves. A file that was moved away is made anew, as `logrotate` expects. The file is only
 * appended to (`chattr +a` is possible): if a crash or a full disk left part of a line, a line feed ends that part, and the whole line
 * follows.
 *
 * @example
 * createFileDestination('/var/log/leeward/audit.ndjson');
 */
export function createFileDestination(path: string): AuditDestination {
  let current: FileHandle | undefined;

  async function openCurrent(): Promise<FileHandle> {
    if (current !== undefined && (await isSameFile(current, path))) return current;
    await closeCurrent();
    const isNew = !(await exists(path));
    current = await open(path, 'a+', 0o600);
    if (isNew) await syncFolder(dirname(path));
    return current;
  }

  async function closeCurrent(): Promise<void> {
    const handle = current;
    current = undefined;
    await handle?.close();
  }

  return {
    id: createHash('sha256').update(`file:${path}`).digest('hex').slice(0, 32),
    kind: 'file',
    name: `file:${path}`,
    async send(lines: readonly AuditLine[], signal: AbortSignal) {
      try {
        const handle = await openCurrent();
        signal.throwIfAborted();
        const start = (await endsWithinLine(handle)) ? '\n' : '';
        // Resolves when all of it is written.
        await handle.appendFile(start + lines.map(({ line }) => `${line}\n`).join(''));
        await handle.datasync();
      } catch (error) {
        await closeCurrent().catch(() => {});
        throw error;
      }
    },
    close: closeCurrent,
  };
}

async function isSameFile(handle: FileHandle, path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) return false;
  const own = await handle.stat();
  return own.ino === status.ino && own.dev === status.dev;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

/** The name of a new file is on disk, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
