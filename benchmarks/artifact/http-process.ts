/** `node http-process.ts CARRIERS TOKEN`: the service with rule sets and one token, without other features. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCatalog } from '@leeward/engine';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { createNodeHandler } from '@leeward/http/node';
import { answerParent } from '../http/server-process.ts';

const [carriers = '', token = ''] = process.argv.slice(2);
const files = JSON.parse(readFileSync(carriers, 'utf8')) as unknown[];
const leeward = createLeeward({
  directory: createKeyHolder([{ token, scopes: ['underwrite'] }]),
  underwriting: { catalog: createCatalog(files.map((file) => ({ file }))) },
  // Counted, but never reached.
  rateLimit: { perMinute: 6e7, burst: 6e7 },
});
const server = createServer(createNodeHandler(leeward));
server.listen({ port: 0, host: '127.0.0.1' }, () => answerParent((server.address() as AddressInfo).port));
