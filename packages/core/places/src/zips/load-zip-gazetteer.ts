import { bytesOfBase64 } from '../bytes-of-base64.ts';
import { createZipGazetteer, type ZipGazetteer } from './zip-gazetteer.ts';
import { unpackZipTable } from './zip-table.ts';

let loaded: Promise<ZipGazetteer> | undefined;

/**
 * Loads the gazetteer (0.4 MB) once.
 * @example
 * (await loadZipGazetteer()).find('33139')?.city; // 'Miami Beach'
 */
export function loadZipGazetteer(): Promise<ZipGazetteer> {
  loaded ??= unpack();
  return loaded;
}

async function unpack(): Promise<ZipGazetteer> {
  const { packedZips } = await import('./data.generated.ts');
  const packed = bytesOfBase64(packedZips);
  const inflated = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return createZipGazetteer(unpackZipTable(new Uint8Array(await new Response(inflated).arrayBuffer())));
}
