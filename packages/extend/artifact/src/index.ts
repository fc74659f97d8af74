export {
  createKernel,
  type Kernel,
  type KernelBatch,
  type KernelColumn,
  kernelBytes,
  type NormalizedNumbers,
  type WrittenNumbers,
} from './kernel/create-kernel.ts';
export type { ArithmeticProgram } from './tables/arithmetic-program.ts';
export { buildTables } from './tables/build-tables.ts';
export type {
  BuiltInterval,
  BuiltReason,
  BuiltTables,
  BuiltType,
  NotCompiled,
  TablesOptions,
} from './tables/built-tables.ts';
export type { Lane, LaneAxis, LaneSpace } from './tables/lane.ts';
export type { InputSource, TableInput } from './tables/table-inputs.ts';
