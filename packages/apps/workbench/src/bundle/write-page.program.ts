import { mkdir, rm, writeFile } from 'node:fs/promises';
import { openPage } from './bundle-page.ts';

// Writes the page into the build output. Run it in the folder of the package, after the build.
const folder = new URL('../../dist/page/', import.meta.url);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, { text }] of await openPage()) await writeFile(new URL(name, folder), text);
