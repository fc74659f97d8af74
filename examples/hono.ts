// Hono, here on Node; on Bun, Deno and workers only the last lines differ.
import { type HttpBindings, serve } from '@hono/node-server';
import { Hono } from 'hono';
import { announce, hostname, leeward, port, prefix } from './insurance.ts';

const app = new Hono<{ Bindings: HttpBindings }>();

app.get('/', (c) => c.text('A page of the host’s own.\n'));

// The raw request: Leeward reads the body. `c.env` has the client's address.
app.all(`${prefix}/*`, (c) => leeward.fetch(c.req.raw, c.env));

serve({ fetch: app.fetch, port, hostname, overrideGlobalObjects: false }, (address) => announce(address.port));
