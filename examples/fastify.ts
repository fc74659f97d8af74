// Fastify 5. The plugin keeps Leeward's body handling separate from the rest of the application.
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@leeward/http/node';
import fastify from 'fastify';
import { announce, hostname, leeward, port, prefix } from './insurance.ts';

const app = fastify();

app.get('/', async () => 'A page of the host’s own.\n');

await app.register(
  async (scope) => {
    // Leeward reads and limits the body, so Fastify must not parse it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const insurance = createNodeHandler(leeward);
    scope.all('/*', (request, reply) => {
      reply.hijack();
      return insurance(request.raw, reply.raw);
    });
  },
  { prefix },
);

await app.listen({ port, host: hostname });
announce((app.server.address() as AddressInfo).port);
