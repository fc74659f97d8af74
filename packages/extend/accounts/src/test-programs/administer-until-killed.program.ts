/** Makes concurrent changes and prints each acknowledged one, until it is killed. Arguments: URL, organization, number of changes. */
import { writeSync } from 'node:fs';
import { openDatabase } from '@leeward/database';
import { accountsMigrations, createAccounts, createSqlStore } from '../index.ts';

const [url = '', organization_id = '', times = '0'] = process.argv.slice(2);
const database = await openDatabase(url, { migrations: [accountsMigrations] });
const { administration } = createAccounts({ store: createSqlStore(database) });
const { appointments, tokens } = administration;
const actor = { system: `process ${process.pid}` };

let left = Number(times);
const acknowledge = (line: string) => {
  left--;
  writeSync(1, `${line}\n`);
};
const lane = async () => {
  while (left > 0) {
    const { appointment_id } = await appointments.create.run(actor, { organization_id, carrier_key: 'bayou_mutual' });
    acknowledge(`create ${appointment_id}`);
    await appointments.update.run(actor, { appointment_id, revision: 1, states: ['fl'] });
    acknowledge(`update ${appointment_id}`);
    const { token, token_id } = await tokens.create.run(actor, { organization_id });
    acknowledge(`mint ${token}`);
    await tokens.rotate.run(actor, { token_id });
    acknowledge(`rotate ${token_id}`);
    await appointments.remove.run(actor, { appointment_id });
    acknowledge(`remove ${appointment_id}`);
  }
};
await Promise.all(Array.from({ length: 8 }, lane));
await database.close();
