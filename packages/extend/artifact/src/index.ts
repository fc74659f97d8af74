export {
  createKernel,
  type Kernel,
  type KernelBatch,
  type KernelColumn,
  kernelBytes,
  type NormalizedNumbers,
  type WrittenNumbers,
} from './kernel/create-kernel.ts';
export type { BuiltTables, NotCompiled, TablesOptions } from './tables/built-tables.ts';
