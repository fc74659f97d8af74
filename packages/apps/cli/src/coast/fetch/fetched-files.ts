import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { CommandError } from '../../command-error.ts';

/** Fetched files: source, time, licence and hash. */
export const FETCHED_FILES_NAME = 'coastline-sources.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/i);
const fetchedFile = z.object({
  url: z.string(),
  source: z.string(),
  licence: z.string(),
  bytes: z.number(),
  sha256,
  etag: z.string().optional(),
  last_modified: z.string().optional(),
  fetched_at: z.string(),
});
export type FetchedFile = z.infer<typeof fetchedFile>;

const list = z.object({ files: z.record(z.string(), fetchedFile) });
/** A list of expected files may have hashes only. */
const expected = z.object({ files: z.record(z.string(), z.object({ sha256 })) });

/** Empty without a list. */
export function readFetchedFiles(path: string): Record<string, FetchedFile> {
  const json = readJson(path, true);
  return json === undefined ? {} : checked(list, json, path).files;
}

/** Hashes of a given list, by name. */
export function readExpectedHashes(path: string): Record<string, string> {
  const { files } = checked(expected, readJson(path, false), path);
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, file.sha256]));
}

export function writeFetchedFiles(path: string, files: Readonly<Record<string, FetchedFile>>): void {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify({ files: sorted }, null, 2)}\n`);
}

function readJson(path: string, mayMiss: boolean): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (mayMiss && code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read (${code ?? 'no JSON'}); it lists files and their SHA-256.`);
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, json: unknown, path: string): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const [issue] = error.issues;
  throw new CommandError(`${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'it does not fit'}.`);
}
