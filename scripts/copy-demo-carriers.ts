import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

// The published `leeward` carries the invented carriers of its demo: their rules, and how they are asked for quotes. Run from the
// package's folder, after its build.
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
