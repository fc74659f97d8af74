import { ArtifactError } from './artifact-error.ts';
import { gunzip, gzip } from './compression.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { concatBytes, damaged, readSections, type Section, sectionBytes } from './sections.ts';

const MAX_MANIFEST_BYTES = 64 << 20;
const MAX_TABLES_BYTES = 1 << 30;
const MAX_VECTORS_BYTES = 256 << 20;

const MANIFEST = 'leeward.manifest';
const TABLES = 'leeward.tables';
const VECTORS = 'leeward.vectors';
const DIGEST = 'leeward.digest';
/** A WebAssembly module, and its data. */
export const COAST_KERNEL = 'leeward.coast_kernel';
export const COAST = 'leeward.coast';

/** The parts of an artifact before it is written. */
export interface ArtifactParts {
  /** A WebAssembly module. */
  readonly kernel: Uint8Array;
  readonly manifest: Manifest;
  /** The table image. */
  readonly tables: Uint8Array;
  /** As JSON. */
  readonly vectors: unknown;
  /** Sections between the vectors and the digest, by name, written unchanged. @default none */
  readonly others?: Readonly<Record<string, Uint8Array>>;
}

/** An artifact whose digest and manifest are correct. */
export interface ArtifactFile {
  readonly manifest: Manifest;
  readonly tables: Uint8Array;
  /** Decompresses and parses the conformance vectors. */
  readVectors(): Promise<unknown>;
  /** Content of another section; undefined if it is missing. */
  section(name: string): Uint8Array | undefined;
  /** Lengths in bytes, as in the file, by section. */
  readonly sizes: Readonly<Record<string, number>>;
}

/**
 * Writes the parts as one file, a WebAssembly module with custom sections. Equal parts give equal bytes.
 */
export async function writeArtifact(parts: ArtifactParts): Promise<Uint8Array<ArrayBuffer>> {
  const json = (value: unknown) => gzip(new TextEncoder().encode(JSON.stringify(value)));
  const sections = {
    [MANIFEST]: await json(parts.manifest),
    [TABLES]: await gzip(parts.tables),
    [VECTORS]: await json(parts.vectors),
    ...parts.others,
  };
  const body = concatBytes([
    parts.kernel,
    ...Object.entries(sections).map(([name, content]) => sectionBytes(name, content)),
  ]);
  return concatBytes([body, sectionBytes(DIGEST, await sha256(body))]);
}

/**
 * Opens a file. The digest finds accidents and carelessness; it is not a signature.
 *
 * @throws {ArtifactError} `not_an_artifact`, `damaged_artifact`, `altered_artifact` or `newer_artifact`.
 */
export async function readArtifact(bytes: Uint8Array): Promise<ArtifactFile> {
  const sections = readSections(bytes);
  const find = (name: string) => sections.find((section) => section.name === name)?.content;
  const manifestBytes = find(MANIFEST);
  if (!manifestBytes) {
    throw new ArtifactError(
      'not_an_artifact',
      'This is a WebAssembly module, but not an artifact; write one with leeward compile.',
    );
  }
  await checkDigest(bytes, sections.at(-1)!);
  const manifest = readManifest(decodeText(await gunzip(manifestBytes, MAX_MANIFEST_BYTES, 'its manifest')));
  const [tables, vectors] = [find(TABLES), find(VECTORS)];
  if (!tables || !vectors) throw damaged(`it has no section ${tables ? VECTORS : TABLES}`);
  return {
    manifest,
    tables: await gunzip(tables, MAX_TABLES_BYTES, 'its section of tables'),
    async readVectors() {
      const json = decodeText(await gunzip(vectors, MAX_VECTORS_BYTES, 'its section of vectors'));
      try {
        return JSON.parse(json) as unknown;
      } catch {
        throw damaged('its vectors are not JSON');
      }
    },
    section: find,
    sizes: {
      kernel: sections.find(({ name }) => name.startsWith('leeward.'))!.start,
      ...Object.fromEntries(sections.map(({ name, content }) => [name, content.length])),
    },
  };
}

async function checkDigest(bytes: Uint8Array, last: Section): Promise<void> {
  if (last.name !== DIGEST || last.content.length !== 32) throw damaged('its last section, the digest, is missing');
  const digest = await sha256(bytes.subarray(0, last.start));
  if (digest.every((byte, at) => byte === last.content[at])) return;
  throw new ArtifactError(
    'altered_artifact',
    'The artifact was altered after it was made: its digest differs. Copy or compile it again.',
  );
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
