import { parentPort } from 'node:worker_threads';
import { listenBadly } from './bad-endpoints.ts';

const { port } = await listenBadly();
parentPort?.postMessage(port);
