export { checkAnswer } from '../orchestrator/check-answer.ts';
export { type CarrierAdapterSuiteOptions, carrierAdapterSuite } from './carrier-adapter-suite.ts';
export { type QueueChaos, withChaos } from './chaos.ts';
export { exampleBody, exampleCall, exampleFields, exampleRequest } from './example-request.ts';
export { findRedis, type RedisServer } from './find-redis.ts';
export { forgetRedis } from './forget-redis.ts';
export { type QueuePlace, queueBackendSuite } from './queue-backend-suite.ts';
export type { SuiteCase } from './suite.ts';
