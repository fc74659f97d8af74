import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleCatalog } from '../../../../../test/support/sample-catalog.ts';
import { compileArtifact } from '../compile/compile-artifact.ts';
import { readArtifact, writeArtifact } from './artifact-file.ts';
import { gunzip, gzip } from './compression.ts';
import type { Manifest } from './manifest.ts';
import { concatBytes, readSections, sectionBytes } from './sections.ts';

let bytes: Uint8Array;
let manifest: Manifest;
beforeAll(async () => {
  ({ bytes, manifest } = await compileArtifact(sampleCatalog(), { from: '2026-01-01', to: '2026-12-31' }));
});

const header = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const codeOf = async (file: Uint8Array) => {
  const error = await readArtifact(file).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return (error as { code?: string } | undefined)?.code;
};
const rewrite = (changed: unknown, tables = Uint8Array.of(1)) =>
  writeArtifact({ kernel: header, manifest: changed as Manifest, tables, vectors: {} });

describe('an artifact', () => {
  it('is a WebAssembly module that any runtime compiles', async () => {
    const { WebAssembly } = globalThis as unknown as {
      WebAssembly: {
        compile(file: Uint8Array): Promise<object>;
        Module: { customSections(m: object, n: string): ArrayBuffer[] };
      };
    };
    const module = await WebAssembly.compile(bytes);
    expect(WebAssembly.Module.customSections(module, 'leeward.manifest')).toHaveLength(1);
  });

  it('has its parts in order, and the digest last', () => {
    expect(
      readSections(bytes)
        .map(({ name }) => name)
        .filter((name) => name.startsWith('leeward.')),
    ).toEqual(['leeward.manifest', 'leeward.tables', 'leeward.vectors', 'leeward.digest']);
  });

  it('is the same for the same rules', async () => {
    const again = await compileArtifact(sampleCatalog(), { from: '2026-01-01', to: '2026-12-31' });
    expect(again.bytes).toEqual(bytes);
  });

  it('keeps sections of others', async () => {
    const file = await writeArtifact({
      kernel: header,
      manifest,
      tables: Uint8Array.of(1),
      vectors: [],
      others: { 'leeward.coast': Uint8Array.of(7, 8) },
    });
    const read = await readArtifact(file);
    expect(read.section('leeward.coast')).toEqual(Uint8Array.of(7, 8));
    expect(await read.readVectors()).toEqual([]);
  });

  it('is refused when cut anywhere', async () => {
    for (let length = 0; length < bytes.length; length += Math.max(1, Math.floor(bytes.length / 97))) {
      expect(await codeOf(bytes.subarray(0, length)), `${length} bytes`).toMatch(
        /^(not_an_artifact|damaged_artifact)$/,
      );
    }
  });

  it('is refused when any byte is altered', async () => {
    for (let at = 8; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 97))) {
      const altered = bytes.slice();
      altered[at]! ^= 0x10;
      expect(await codeOf(altered), `byte ${at}`).toMatch(/^(altered|damaged|not_an)_artifact$/);
    }
  });

  it.each([
    ['text', new TextEncoder().encode('PAR1 not a module')],
    ['nothing', new Uint8Array(0)],
    ['another module', concatBytes([header, sectionBytes('producers', Uint8Array.of(0))])],
  ])('is not %s', async (_, file) => {
    expect(await codeOf(file)).toBe('not_an_artifact');
  });

  it('is refused by an older reader by name', async () => {
    const newer = await rewrite({ format: 2, anything: true });
    await expect(readArtifact(newer)).rejects.toThrow('made by format 2; this reader reads up to 1');
    expect(await codeOf(newer)).toBe('newer_artifact');
  });

  it('names the fault of a malformed manifest', async () => {
    await expect(readArtifact(await rewrite({ ...manifest, carriers: 'all' }))).rejects.toThrow('a fault at carriers');
    await expect(readArtifact(await rewrite('text'))).rejects.toThrow('damaged');
  });

  it('limits the decompressed length', async () => {
    const bomb = gzipSync(Buffer.alloc(1 << 20));
    await expect(gunzip(bomb, 1 << 16, 'it')).rejects.toThrow('more than 65536 bytes');
    await expect(gunzip(Uint8Array.of(1, 2, 3), 100, 'it')).rejects.toThrow('cannot be decompressed');
    expect(await gunzip(await gzip(Uint8Array.of(1, 2, 3)), 3, 'it')).toEqual(Uint8Array.of(1, 2, 3));
  });
});
