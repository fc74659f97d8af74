import { mkdir, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:zlib';
import { bundlePage } from './bundle-page.ts';
import { encodeText, manifestOf } from './page-files.ts';

// Writes the page into the build output, compressed once. Run it in the folder of the package, after the build.
const folder = new URL('../../dist/page/', import.meta.url);
const write = (name: string, content: string | Uint8Array) => writeFile(new URL(name, folder), content);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const texts = await bundlePage();
await write('manifest.json', JSON.stringify(manifestOf(texts)));
for (const [name, text] of texts) {
  if (name === 'index.html') {
    // A host changes it.
    await write(name, text);
    continue;
  }
  const { gzip, br } = await encodeText(name, text, constants.BROTLI_MAX_QUALITY);
  await Promise.all([write(`${name}.gz`, gzip), write(`${name}.br`, br)]);
}
