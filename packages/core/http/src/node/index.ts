export { createNodeHandler } from './node-handler.ts';
export { createNodeServer } from './node-server.ts';
