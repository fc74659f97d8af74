#!/usr/bin/env node
// Committed, because npm makes no link to a file that a build has still to make.
// In the workspace the TypeScript source runs as it stands; an installed package has only `dist`.
// What stands here runs on any Node with modules, so that an old one is told what it lacks and not where it failed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `leeward: This is Node ${process.versions.node} (${process.execPath}); leeward needs Node 22.18 or newer: https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else if (!existsSync(source)) {
  await import('../dist/main.js');
} else {
  const args = [
    '--conditions=@leeward/source',
    '--disable-warning=ExperimentalWarning',
    source,
    ...process.argv.slice(2),
  ];
  // Compiling the source is a third of a short command's time, so it is kept.
  const compiled = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));
  const env = { NODE_COMPILE_CACHE: compiled, ...process.env };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 15)));
}
