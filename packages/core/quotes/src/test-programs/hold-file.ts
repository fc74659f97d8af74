import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Holds the write lock like another process. @returns its release. */
export async function holdFile(file: string): Promise<() => void> {
  const connection = new DatabaseSync(file);
  // SQLite's busy wait would block this process, which holds the lock.
  for (let tries = 0; ; tries++) {
    try {
      connection.exec('begin immediate');
      break;
    } catch (error) {
      if (tries > 2000) throw error;
      await sleep(Math.random() * 10);
    }
  }
  return () => {
    connection.exec('rollback');
    connection.close();
  };
}
