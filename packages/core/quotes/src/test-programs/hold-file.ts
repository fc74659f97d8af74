import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Holds the write lock of a SQLite file, as another process can: nobody else can write until it is released. */
export async function holdFile(file: string): Promise<() => void> {
  const connection = new DatabaseSync(file);
  // Not SQLite's own waiting, which would hold up this process and whatever of it has the lock now.
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
