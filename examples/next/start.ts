// Replaces `next start` so that the route file runs without Next. It loads this one file and calls the exported
// function of each method with the request and its parameters.
import { serve } from '@hono/node-server';
import { announce, hostname, port, prefix } from '../insurance.ts';
import * as route from './app/insurance/[...path]/route.ts';

type RouteHandler = (request: Request, context: { params: Promise<{ path: string[] }> }) => Promise<Response>;
const handlers = new Map<string, RouteHandler>(Object.entries(route));

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/') return new Response('A page of the host’s own.\n');
  const path = pathname.split('/').slice(2);
  if (!pathname.startsWith(`${prefix}/`)) return new Response('Not found.\n', { status: 404 });
  const handler = handlers.get(request.method);
  return handler ? handler(request, { params: Promise.resolve({ path }) }) : new Response(null, { status: 405 });
}

serve({ fetch: answer, port, hostname, overrideGlobalObjects: false }, (address) => announce(address.port));
