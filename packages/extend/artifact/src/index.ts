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
export { type CompiledArtifact, type CompileOptions, compileArtifact } from './compile/compile-artifact.ts';
export { ArtifactError, type ArtifactFaultCode } from './format/artifact-error.ts';
export { ARTIFACT_FORMAT, type Manifest, type ManifestInput } from './format/manifest.ts';
export {
  createKernel,
  type Kernel,
  type KernelBatch,
  type KernelColumn,
  kernelBytes,
  type NormalizedNumbers,
  type ReasonCounting,
  type WrittenNumbers,
} from './kernel/create-kernel.ts';
export {
  type Artifact,
  artifactStatuses,
  type CoastDistance,
  type EvaluateOptions,
  type Evaluation,
} from './reader/artifact.ts';
export type { ArtifactColumns, ColumnNames } from './reader/artifact-columns.ts';
export { openArtifact } from './reader/open-artifact.ts';
export type { ArtifactReason, PairReasons } from './reader/pair-reasons.ts';
export type { InputRange, RowFault } from './reader/row-reader.ts';
export { type SqlDialect, sqlDialects } from './sql/dialect.ts';
export { type SqlOptions, writeSql } from './sql/write-sql.ts';
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
