/** Imported before a service starts: at its end, writes all spans for a host's SDK and all contacted addresses to LEEWARD_TEST_RECORD. */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { recordSpans } from '../testing/record-spans.ts';

const { spans } = recordSpans();
const connections: string[] = [];
const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [first] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  const { host = 'localhost', port, path } = first as { host?: string; port?: number; path?: string };
  connections.push(path ?? `${host}:${port}`);
  return Reflect.apply(connect, this, args) as Socket;
} as typeof connect;

const file = process.env['LEEWARD_TEST_RECORD'];
if (file !== undefined) {
  process.on('exit', () => writeFileSync(file, JSON.stringify({ spans, connections })));
}
