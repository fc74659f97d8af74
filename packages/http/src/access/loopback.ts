/** What `@hono/node-server` hands on beside a request. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

/**
 * Whether a request came from this machine itself and not through a proxy on it. Where the host tells
 * nothing of the socket (it is no Node server, say), nobody is local.
 */
export function isFromLoopback(request: Request, bindings: unknown): boolean {
  if (request.headers.has('forwarded') || request.headers.has('x-forwarded-for')) return false;
  return isLoopbackAddress((bindings as NodeBindings | undefined)?.incoming?.socket?.remoteAddress);
}

export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address);
}
