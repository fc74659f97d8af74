export { type CoastFiles, type CoastSource, type CompiledCoast, compileCoast } from './coast/compile-coast.ts';
export {
  type CoastKernel,
  type CoastLayer,
  type CoastMeasurements,
  coastKernelBytes,
  createCoastKernel,
  type MeasuredDistances,
  type MeterRanges,
  type PointColumns,
} from './coast/create-coast-kernel.ts';
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
