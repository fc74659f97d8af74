import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DiskFullError } from '../violations.ts';

/** Below this the next write may fail. */
const MIN_FREE_BYTES = 1024 * 1024;

/** @throws {DiskFullError} If the disk of this file is nearly full. */
export async function checkDisk(file: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file));
  if (bavail * bsize < MIN_FREE_BYTES) throw new DiskFullError();
}
