/** Streams the audit log to a file until it is killed, and prints a line when the stream has progressed. Arguments: URL, file. */
import { openDatabase } from '@leeward/database';
import { accountsMigrations, createAuditStreams, createFileDestination } from '../index.ts';

const [url = '', path = ''] = process.argv.slice(2);
const database = await openDatabase(url, { migrations: [accountsMigrations] });
const file = createFileDestination(path);
const destination = {
  ...file,
  async send(...call: Parameters<typeof file.send>) {
    await file.send(...call);
    // Before the progress is stored.
    console.log('sent');
  },
};
const options = { pollMs: 20, leaseMs: 600, sendTimeoutMs: 250, maxBatchEntries: 7 };
createAuditStreams({ database, destinations: [destination], ...options }).start();
