// Prints packages with the versions of the lockfile: `node deploy/versions.js pg ioredis` → `pg@8.23.1 ioredis@6.0.0`.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const named = process.argv.slice(2).map((name) => {
  const entry = packages[`node_modules/${name}`];
  if (!entry) throw new Error(`${name} is not in package-lock.json.`);
  return `${name}@${entry.version}`;
});
console.log(named.join(' '));
