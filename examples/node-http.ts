// Plain node:http. Leeward handles paths below the prefix; your code handles the others.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@leeward/http/node';
import { announce, hostname, leeward, port, prefix } from './insurance.ts';

const insurance = createNodeHandler(leeward);

const server = createServer((request, response) => {
  if (request.url?.startsWith(`${prefix}/`)) void insurance(request, response);
  else response.writeHead(request.url === '/' ? 200 : 404).end('A page of the host’s own.\n');
});
server.listen(port, hostname, () => announce((server.address() as AddressInfo).port));
