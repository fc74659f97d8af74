import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import {
  type Artifact,
  type CoastFiles,
  type CompiledArtifact,
  compileArtifact,
  type NotCompiled,
  openArtifact,
  type SqlOptions,
  sqlDialects,
  writeSql,
} from '@leeward/artifact';
import { coastlineUsFiles, conflationFile, tidalWaterFiles } from '@leeward/coastline-us';
import { quoteValue } from '@leeward/terms';
import { carriersFolder } from '../book/book-carriers.ts';
import { readCatalog } from '../carriers/carrier-files.ts';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';

export interface CompileOptions {
  readonly carriers?: string;
  readonly line?: string;
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
  readonly coast?: boolean;
  readonly sql?: string;
  readonly table?: string;
  readonly columns?: string;
  readonly view?: string;
  readonly prefix?: string;
  readonly strict?: boolean;
  readonly check?: string;
  readonly json?: boolean;
}

/** Result of the conformance vectors. */
type Checked = Awaited<ReturnType<Artifact['check']>>;

/** `compile`: writes an artifact that answers its vectors, or checks one. */
export async function compileRules(options: CompileOptions, terminal: Terminal): Promise<void> {
  if (options.check !== undefined) {
    await checkFile(options, options.check, terminal);
    return;
  }
  const { from, to, out } = options;
  if (from === undefined || to === undefined || out === undefined) {
    const missing = Object.entries({ '--from': from, '--to': to, '--out': out }).flatMap(([name, value]) =>
      value === undefined ? [name] : [],
    );
    throw new CommandError(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} required, or --check FILE.`, {
      exitCode: 2,
    });
  }
  const lines = await openKnownLines(options.line, terminal.folder);
  const catalog = readCatalog(carriersFolder(options.carriers, terminal, lines), terminal.folder, lines);
  if (options.sql !== undefined) {
    const path = resolve(terminal.folder, out);
    const sql = refuseOptions(() => writeSql(catalog, sqlOptions(options, from, to)));
    replaceFile(path, new TextEncoder().encode(sql));
    terminal.write(`${nearPath(path, terminal.folder)}: a view of ${options.table} for ${options.sql}.\n`);
    return;
  }
  const coast = options.coast ? coastFiles() : undefined;
  const compiled = await compileArtifact(catalog, { from, to, created: terminal.now(), coast }).catch(
    (error: unknown) => {
      throw error instanceof RangeError ? new CommandError(error.message, { exitCode: 2 }) : error;
    },
  );
  if (options.strict) refuseOpenParts(compiled.notCompiled);
  const artifact = await openArtifact(compiled.bytes);
  const checked = await artifact.check();
  const path = resolve(terminal.folder, out);
  replaceFile(path, compiled.bytes);
  const { manifest } = compiled;
  if (options.json) {
    const { policy_types: types, carriers, intervals, not_compiled: open } = manifest;
    const summary = {
      out,
      bytes: compiled.bytes.length,
      sizes: artifact.sizes,
      from,
      to,
      policy_types: types,
      carriers,
    };
    const dates = intervals.map(({ from: first, until }) => ({ from: first, until }));
    terminal.write(`${JSON.stringify({ ...summary, intervals: dates, not_compiled: open, checked }, null, 2)}\n`);
    return;
  }
  terminal.write(describeArtifact(nearPath(path, terminal.folder), compiled, artifact, checked));
}

/** @throws {CommandError} If the dialect is unknown, or no table is named. */
function sqlOptions({ sql, table, columns, view, prefix }: CompileOptions, from: string, to: string): SqlOptions {
  const dialect = sqlDialects.find((each) => each === sql);
  if (dialect === undefined) {
    throw new CommandError(`--sql is ${quoteValue(sql)}; give one of: ${sqlDialects.join(', ')}.`, { exitCode: 2 });
  }
  if (table === undefined)
    throw new CommandError('--table is required with --sql; give the table of homes.', { exitCode: 2 });
  return {
    dialect,
    table,
    from,
    to,
    ...(columns === undefined ? {} : { columns: columns.split(',').map((name) => name.trim()) }),
    ...(view === undefined ? {} : { view }),
    ...(prefix === undefined ? {} : { prefix }),
  };
}

function refuseOptions<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(error.message, { exitCode: 2 }) : error;
  }
}

/** The shipped shores and tidal waters. */
function coastFiles(): CoastFiles {
  const urls = { ...coastlineUsFiles, ...tidalWaterFiles, conflation: conflationFile };
  return Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, readFileSync(url)]),
  ) as unknown as CoastFiles;
}

/** @throws {CommandError} If a part of a rule set is not compiled. */
export function refuseOpenParts(parts: readonly NotCompiled[]): void {
  if (parts.length === 0) return;
  const way = 'Without --strict, homes that depend on them are answered needs_information.';
  throw new CommandError(`Not compiled:\n\n${describeOpenParts(parts)}\n${way}`);
}

async function checkFile({ json }: CompileOptions, file: string, terminal: Terminal): Promise<void> {
  const artifact = await openArtifact(readFileSync(resolve(terminal.folder, file)));
  const checked = await artifact.check();
  const { from, to, line, made_by: madeBy } = artifact.manifest;
  if (json) terminal.write(`${JSON.stringify({ file, line, from, to, made_by: madeBy, checked }, null, 2)}\n`);
  else terminal.write(`${file}: ${describeChecked(checked)}; dates from ${from} to ${to}, made by ${madeBy}.\n`);
}

/** Replaces a file in one step: a failed run leaves the existing one unchanged. */
function replaceFile(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = resolve(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    writeFileSync(part, bytes);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

function describeArtifact(path: string, compiled: CompiledArtifact, { sizes }: Artifact, checked: Checked): string {
  const { bytes, manifest, notCompiled } = compiled;
  const kilobytes = (name: string) => `${Math.ceil((sizes[name] ?? 0) / 1000)} kB`;
  const dates = manifest.intervals.map(({ from, until }) => `${from} to before ${until}`);
  const count = (things: number, one: string) => `${formatCount(things)} ${one}${things === 1 ? '' : 's'}`;
  return [
    `${path}: ${formatCount(bytes.length)} bytes (kernel ${kilobytes('kernel')}, manifest ${kilobytes('leeward.manifest')}, tables ${kilobytes('leeward.tables')}, vectors ${kilobytes('leeward.vectors')})`,
    `  ${count(manifest.carriers.length, 'carrier')}, ${count(manifest.policy_types.length, 'policy type')} of the line ${manifest.line}`,
    `  ${count(dates.length, 'interval')} of effective dates: ${dates.join(', ')}`,
    ...(manifest.coast ? [`  coast ${kilobytes('leeward.coast')}: ${manifest.licences.join('; ')}`] : []),
    `  ${describeChecked(checked)}`,
    ...(notCompiled.length === 0
      ? ['  everything is compiled']
      : ['  not compiled:', describeOpenParts(notCompiled).trimEnd()]),
    '',
  ].join('\n');
}

function describeChecked({ homes, lookups }: Checked): string {
  return `${formatCount(homes)} homes and ${formatCount(lookups)} spellings are answered as by the engine`;
}

function describeOpenParts(parts: readonly NotCompiled[]): string {
  return parts
    .map(({ carrier, version, policyType, fact, why }) => {
      const input = fact === undefined ? '' : ` (${fact})`;
      return `  ${carrier} ${version}, ${policyType}${input}: ${why}\n`;
    })
    .join('');
}
