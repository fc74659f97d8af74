export {
  createWorkerPool,
  type PoolTask,
  type RunTaskOptions,
  sharedWorkerPool,
  type WorkerPool,
  type WorkerPoolOptions,
  type WorkerPoolStats,
} from './worker-pool.ts';
