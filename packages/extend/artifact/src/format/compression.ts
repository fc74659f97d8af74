import { concatBytes, damaged } from './sections.ts';

export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  return (await through(bytes, new CompressionStream('gzip'), Number.POSITIVE_INFINITY))!;
}

/** @throws {ArtifactError} `damaged_artifact` if the bytes are not gzip, or longer than `maxBytes` when decompressed. */
export async function gunzip(bytes: Uint8Array, maxBytes: number, name: string): Promise<Uint8Array> {
  let content: Uint8Array | undefined;
  try {
    content = await through(bytes, new DecompressionStream('gzip'), maxBytes);
  } catch {
    throw damaged(`${name} cannot be decompressed`);
  }
  if (!content) throw damaged(`${name} has more than ${maxBytes} bytes`);
  return content;
}

/** Undefined if the output is longer than `maxBytes`: a small file must not fill the memory. */
async function through(
  bytes: Uint8Array,
  transform: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(transform).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatBytes(parts);
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
}
