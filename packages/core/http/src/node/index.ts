export { createFileHazardEvents, type FileHazardEventOptions } from '../hazard-events/file-hazard-events.ts';
export { createNodeHandler } from './node-handler.ts';
export { createNodeServer } from './node-server.ts';
