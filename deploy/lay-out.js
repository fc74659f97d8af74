// Lays out what the image installs: `node deploy/lay-out.js FOLDER`, after `npm run build`. Packages as they are published, and the
// lockfile beside them, so that `npm ci` there installs the versions that were tested.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder = ''] = process.argv.slice(2);
if (folder === '') throw new Error('Name the folder: node deploy/lay-out.js FOLDER.');
const source = resolve(import.meta.dirname, '..');
const to = (path) => join(resolve(folder), path);
// npm holds the lockfile against the manifest of every workspace, also of those that it does not install.
for (const path of ['package.json', 'package-lock.json', 'deploy/package.json', 'examples/package.json']) {
  cpSync(join(source, path), to(path), { recursive: true });
}
const folders = ['core', 'extend', 'apps'].flatMap((group) =>
  readdirSync(join(source, 'packages', group)).map((name) => `packages/${group}/${name}`),
);
for (const folder of folders) {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', to('.')];
  const packed = JSON.parse(execFileSync('npm', words, { cwd: join(source, folder), encoding: 'utf8' }));
  mkdirSync(to(folder), { recursive: true });
  const tarball = to(Object.values(packed)[0].filename);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', to(folder)]);
  rmSync(tarball);
}
