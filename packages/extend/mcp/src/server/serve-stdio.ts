import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpPorts } from './mcp-server.ts';

/** Standard input and output, and when to stop. */
export interface StdioOptions extends McpPorts {
  readonly input: Readable;
  readonly output: Writable;
  /** Resolves when the server should stop. It stops too when the input ends. */
  readonly stop: Promise<unknown>;
}

/**
 * Serves one asker over a stream of lines, until the input ends.
 *
 * @example
 * await serveStdio({ ...ports, input: process.stdin, output: process.stdout, stop: new Promise(() => {}) });
 */
export async function serveStdio({ input, output, stop, ...ports }: StdioOptions): Promise<void> {
  const server = createMcpServer(ports);
  // Lines that are not messages.
  server.onerror = ports.onError;
  const transport = new StdioServerTransport(input, output);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isInputOver = false;
  let open = 0;
  const over = () => {
    isInputOver = true;
    if (open === 0) end();
  };
  for (const event of ['end', 'close']) input.once(event, over);
  output.once('error', () => end());
  server.onclose = end;
  // Requests that arrived before the end of the input are answered.
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) open++;
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if ('method' in message) return;
    open--;
    if (isInputOver && open === 0) end();
  };
  await server.connect(transport);
  await Promise.race([ended, stop]);
  await server.close();
}
