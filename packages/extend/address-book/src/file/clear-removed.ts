import type { DatabaseSync } from 'node:sqlite';

const STREETS_AT_ONCE = 2_000;

/** Deletes the data of removed sources in short transactions, so that readers and checkpoints are not delayed. */
export function clearRemoved(database: DatabaseSync): void {
  const removed = database.prepare("SELECT id FROM source WHERE status = 'removed'").all() as { id: number }[];
  for (const { id } of removed) {
    const next = database.prepare(`SELECT id FROM street WHERE source_id = ? ORDER BY id LIMIT ${STREETS_AT_ONCE}`);
    for (let streets = next.all(id); streets.length > 0; streets = next.all(id)) {
      const ids = JSON.stringify(streets.map((street) => street['id']));
      const among = '(SELECT value FROM json_each(?))';
      database.exec('BEGIN IMMEDIATE');
      database.prepare(`DELETE FROM house WHERE street_id IN ${among}`).run(ids);
      database.prepare(`DELETE FROM number_range WHERE street_id IN ${among}`).run(ids);
      database.prepare(`DELETE FROM street WHERE id IN ${among}`).run(ids);
      database.exec('COMMIT');
    }
    database.prepare('DELETE FROM edge WHERE source_id = ?').run(id);
    database.prepare('DELETE FROM source WHERE id = ?').run(id);
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
