import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Copies the demo's invented carriers (rules and quoting files) into the published `leeward`. Run from the package's
// folder, after its build.
const source = resolve(import.meta.dirname, '../fixtures/carriers');
const target = resolve('dist/demo/carriers');

rmSync(target, { recursive: true, force: true });
for (const carrier of readdirSync(source)) {
  for (const file of readdirSync(join(source, carrier))) {
    if (!/^(?:rule-set|rating-plan|http-carrier)(?:\..+)?\.json$/.test(file)) continue;
    mkdirSync(join(target, carrier), { recursive: true });
    cpSync(join(source, carrier, file), join(target, carrier, file));
  }
}
