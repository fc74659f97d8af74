import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** Where to begin requests whose bodies never arrive, and how many. */
export interface HeldBodies {
  readonly port: number;
  readonly tokens: readonly string[];
  readonly connections: number;
}

// Runs in a worker thread, so that its computation does not delay the service. It reports its answers; none is expected
// before the thread ends.
const { port, tokens, connections } = workerData as HeldBodies;
for (let count = 0; count < connections; count++) {
  const head = [
    'POST /v1/underwrite/home HTTP/1.1',
    'host: x',
    `authorization: Bearer ${tokens[count % tokens.length]}`,
    'content-type: application/json',
    'content-length: 2000',
  ];
  const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n{"state": `));
  socket.on('data', (data) => parentPort?.postMessage(String(data).slice(0, 30))).on('error', () => {});
}
