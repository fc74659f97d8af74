// Hono, here on Node; on Bun, Deno and workers only the last lines differ.
import { type HttpBindings, serve } from '@hono/node-server';
import { Hono } from 'hono';
import { announce, hostname, leeward, port, prefix } from './insurance.ts';

const app = new Hono<{ Bindings: HttpBindings }>();

app.get('/', (c) => c.text('A page of the host’s own.\n'));

// The raw request: Leeward reads its body itself. `c.env` tells who is at the other end.
app.all(`${prefix}/*`, (c) => leeward.fetch(c.req.raw, c.env));

serve({ fetch: app.fetch, port, hostname, overrideGlobalObjects: false }, (address) => announce(address.port));
