/**
 * Imported into a service before it starts: writes, as it ends, all spans that a host's SDK would have been given and
 * all addresses that the process connected to. LEEWARD_TEST_RECORD names the file.
 */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { recordSpans } from '../testing/record-spans.ts';

const { spans } = recordSpans();
const connections: string[] = [];
const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  // As Node itself hands them on: one list of options and a callback, or as they came.
  const [first] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  const { host = 'localhost', port, path } = first as { host?: string; port?: number; path?: string };
  connections.push(path ?? `${host}:${port}`);
  return Reflect.apply(connect, this, args) as Socket;
} as typeof connect;

const file = process.env['LEEWARD_TEST_RECORD'];
if (file !== undefined) {
  process.on('exit', () => writeFileSync(file, JSON.stringify({ spans, connections })));
}
