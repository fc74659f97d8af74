// Fastify 5. A plugin of its own keeps Leeward's body handling away from the rest of the application.
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@leeward/http/node';
import fastify from 'fastify';
import { announce, hostname, leeward, port, prefix } from './insurance.ts';

const app = fastify();

app.get('/', async () => 'A page of the host’s own.\n');

await app.register(
  async (scope) => {
    // Fastify would read and parse bodies; here the stream is left alone, for Leeward to read and to limit.
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
