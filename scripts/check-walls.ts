import { resolve } from 'node:path';
import { readAllFiles, wallFaults } from './architecture/walls.ts';
import { packageFolders } from './package-folders.ts';

// Part of `npm run lint`: which package may import which.

const root = resolve(import.meta.dirname, '..');
const faults = wallFaults(readAllFiles(root), packageFolders(root));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
