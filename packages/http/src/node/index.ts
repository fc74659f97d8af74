export { createNodeHandler } from './node-handler.ts';
