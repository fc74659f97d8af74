import { bytesOfBase64 } from '../bytes-of-base64.ts';
import { unpackNamedTable } from '../names/named-table.ts';
import { createZipGazetteer, type ZipGazetteer } from './zip-gazetteer.ts';
import { unpackZipTable } from './zip-table.ts';

let loaded: Promise<ZipGazetteer> | undefined;

/**
 * Loads the gazetteer (0.6 MB) once.
 * @example
 * (await loadZipGazetteer()).find('33139')?.city; // 'Miami Beach'
 */
export function loadZipGazetteer(): Promise<ZipGazetteer> {
  loaded ??= unpack();
  return loaded;
}

async function unpack(): Promise<ZipGazetteer> {
  const [{ packedZips }, { packedNames }] = await Promise.all([
    import('./data.generated.ts'),
    import('../names/data.generated.ts'),
  ]);
  const [zips, names] = await Promise.all([inflate(packedZips), inflate(packedNames)]);
  return createZipGazetteer(unpackZipTable(zips), () => unpackNamedTable(names));
}

async function inflate(packed: string): Promise<Uint8Array> {
  const stream = new Blob([bytesOfBase64(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
