/**
 * `npm run sbom [-- --out FOLDER]`
 *
 * Writes a CycloneDX bill of materials for each published package and for the image, and `licences.md`: the licences of all dependencies that
 * are shipped. All of it is read from the lockfile. FOLDER is `sbom` by default.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { licenceReport } from './sbom/licence-report.ts';
import { workspaceBoms } from './sbom/workspace-boms.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: 'sbom' } } });
const folder = resolve(root, values.out);
mkdirSync(folder, { recursive: true });

const boms = workspaceBoms(root);
for (const [name, bom] of boms) {
  const file = `${name.replace('@', '').replace('/', '-')}.cdx.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(bom, null, 2)}\n`);
}
const report = licenceReport([...boms.values()]);
writeFileSync(join(folder, 'licences.md'), report.text);
console.log(`${boms.size} bills of materials and the licences of ${report.count} dependencies are in ${folder}.`);
