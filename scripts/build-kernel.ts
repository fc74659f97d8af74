import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';

// `npm run build:kernels`: compiles the AssemblyScript of the kernels to WebAssembly, as modules that need no file or bundler.

const root = join(import.meta.dirname, '..');
const artifact = join(root, 'packages/extend/artifact');

interface KernelFiles {
  /** The folder of its source, with `index.ts`. */
  readonly source: string;
  readonly target: string;
  /** Name of the exported constant. */
  readonly name: string;
}

export const kernels: readonly KernelFiles[] = [
  { source: 'kernel', target: 'src/kernel/kernel.generated.ts', name: 'kernelModule' },
  { source: 'coast-kernel', target: 'src/coast/coast-kernel.generated.ts', name: 'coastKernelModule' },
];

/** Without imports and garbage collection. The maximum memory is 1 GiB. */
const flags = '--runtime stub --noAssert -O3 --converge --enable simd --use abort= --maximumMemory 16384'.split(' ');

/** Compiles a kernel. Equal sources give equal bytes. */
async function compileKernel(source: string): Promise<Uint8Array> {
  let module: Uint8Array | undefined;
  const { error, stderr } = await asc.main(['index.ts', '-o', 'kernel.wasm', ...flags], {
    readFile: (name, base) => {
      try {
        return readFileSync(join(artifact, source, base, name), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile: (_, contents) => {
      module = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error || !module) throw new Error(`${source} does not compile.\n${stderr.toString()}`);
  return module;
}

/** The text of a kernel's generated file. */
export async function writeKernel({ source, name }: KernelFiles): Promise<string> {
  const bytes = Buffer.from(await compileKernel(source));
  return `// Written by scripts/build-kernel.ts. ${bytes.length} bytes of WebAssembly, in base64.
export const ${name} =
  '${bytes.toString('base64')}';
`;
}

if (import.meta.main)
  for (const kernel of kernels) {
    const text = await writeKernel(kernel);
    writeFileSync(join(artifact, kernel.target), text);
    console.log(`${kernel.target}: ${text.split('\n')[0]}`);
  }
