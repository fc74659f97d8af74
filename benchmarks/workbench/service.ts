/** The service with the page and 50 carriers, in a separate process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCatalog } from '@leeward/engine';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { createNodeHandler } from '@leeward/http/node';
import { loadWorkbench } from '@leeward/workbench';
import { createCarriers, toRuleSets } from '../engine/carriers.ts';
import { answerParent } from '../http/server-process.ts';

const [seed = '', token = ''] = process.argv.slice(2);
const leeward = createLeeward({
  directory: createKeyHolder([{ token, scopes: ['underwrite', 'rules'] }]),
  underwriting: { catalog: createCatalog(toRuleSets(createCarriers(Number(seed))).map((file) => ({ file }))) },
  workbench: await loadWorkbench(),
  rateLimit: null,
  itemLimit: null,
});
const server = createServer(createNodeHandler(leeward));
server.listen(0, '127.0.0.1', () => answerParent((server.address() as AddressInfo).port));
