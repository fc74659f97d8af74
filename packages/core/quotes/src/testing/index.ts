export { type CarrierAdapterSuiteOptions, carrierAdapterSuite } from './carrier-adapter-suite.ts';
export { type QueueChaos, withChaos } from './chaos.ts';
export { type DialectSuiteOptions, dialectSuite } from './dialect-suite.ts';
export { exampleBody, exampleFields } from './example-request.ts';
export { findRedis, type RedisServer } from './find-redis.ts';
export { forgetRedis } from './forget-redis.ts';
export { type QueuePlace, queueBackendSuite } from './queue-backend-suite.ts';
export type { SuiteCase } from './suite.ts';
