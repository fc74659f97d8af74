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
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', resolve);
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport(input, output));
  await Promise.race([ended, stop]);
  await server.close();
}
