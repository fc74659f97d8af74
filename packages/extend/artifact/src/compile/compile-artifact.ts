import type { Catalog } from '@leeward/engine';
import { type CoastFiles, type CompiledCoast, compileCoast } from '../coast/compile-coast.ts';
import { coastKernelBytes } from '../coast/create-coast-kernel.ts';
import { COAST, COAST_KERNEL, writeArtifact } from '../format/artifact-file.ts';
import { gzip } from '../format/compression.ts';
import type { Manifest } from '../format/manifest.ts';
import { kernelBytes } from '../kernel/create-kernel.ts';
import { buildTables } from '../tables/build-tables.ts';
import type { NotCompiled } from '../tables/built-tables.ts';
import { buildVectors } from './build-vectors.ts';
import { manifestOf } from './manifest-of.ts';

/** What to compile. Dates are effective dates, `YYYY-MM-DD`. */
export interface CompileOptions {
  /** First date. */
  readonly from: string;
  /** Last date, included. */
  readonly to: string;
  /** Instant that the manifest states. @default none, so that equal rules give equal bytes */
  readonly created?: Date | undefined;
  /** Adds 3 MB that measure homes with a point. @default none: distances are columns */
  readonly coast?: CoastFiles | undefined;
}

/** An artifact as bytes, and what is in it. */
export interface CompiledArtifact {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly manifest: Manifest;
  /** Parts of rule sets that stay open: homes that depend on them are answered `needs_information`. */
  readonly notCompiled: readonly NotCompiled[];
}

/**
 * Compiles the rule sets of a catalog to one file that evaluates homes without this engine: a WebAssembly module with tables, a manifest
 * and conformance vectors.
 *
 * @throws {RangeError} if a date is invalid, or `from` is after `to`.
 * @example
 * const { bytes, notCompiled } = await compileArtifact(catalog, { from: '2026-01-01', to: '2026-12-31' });
 */
export async function compileArtifact(catalog: Catalog, options: CompileOptions): Promise<CompiledArtifact> {
  const tables = buildTables(catalog, options);
  const coast = options.coast && compileCoast(options.coast);
  const manifest = manifestOf(catalog, tables, { ...options, coast: coast?.sources });
  const vectors = buildVectors(catalog, tables);
  const others = coast && (await coastSections(coast));
  const parts = { kernel: kernelBytes(), manifest, tables: tables.image, vectors, ...(others ? { others } : {}) };
  return { bytes: await writeArtifact(parts), manifest, notCompiled: tables.notCompiled };
}

async function coastSections({ data }: CompiledCoast): Promise<Readonly<Record<string, Uint8Array>>> {
  return { [COAST_KERNEL]: coastKernelBytes(), [COAST]: await gzip(data) };
}
