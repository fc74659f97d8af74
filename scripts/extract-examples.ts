/**
 * Writes every TypeScript example of the guides and READMEs into `.leeward/examples`, a file each, where `npm run typecheck` reads them
 * as strictly as it reads the rest.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, '.leeward/examples');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const page of globSync(['README.md', 'docs/*.md', 'packages/*/*/README.md'], { cwd: root }).sort()) {
  const text = readFileSync(join(root, page), 'utf8');
  const name = page.replace(/\.md$/, '').replaceAll(/[\\/]/g, '-');
  [...text.matchAll(/^```ts\n(.*?)^```$/gms)].forEach(([, code], index) => {
    // Each example is a separate module. An example that names its file is placed with the other files of its page.
    const own = /^\/\/ (\S+\.ts)$/m.exec(code ?? '')?.[1];
    if (own !== undefined) mkdirSync(join(folder, name), { recursive: true });
    const file = own === undefined ? `${name}-${index + 1}.ts` : join(name, own);
    writeFileSync(join(folder, file), `${code}export {};\n`);
  });
}
