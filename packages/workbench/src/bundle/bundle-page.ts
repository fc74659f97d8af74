import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { countyNames } from './county-names.ts';
import { countyShapes } from './county-shapes.ts';
import { homeFields } from './home-fields.ts';
import { indexHtml } from './index-html.ts';
import { type PageFiles, withManifest } from './page-files.ts';
import { shoreCells } from './shore-cells.ts';

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Programs of the page: the first is what `index.html` loads, the others are workers. */
const programs = { main: 'shell/main.tsx', rules: 'rules/rules-worker.ts' } as const;

/** Makes the page of its sources, in memory. */
export async function openPage(): Promise<PageFiles> {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.entries(programs).map(([out, path]) => ({ in: source(path), out })),
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    outdir: 'page',
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@leeward/source'],
    define: { HOME_FIELDS: JSON.stringify(homeFields()) },
    legalComments: 'none',
    logLevel: 'silent',
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const nameOf = (program: keyof typeof programs, extension: string) => {
    const outputs = Object.entries(metafile.outputs).filter(([path]) => path.endsWith(extension));
    const found = outputs.find(([path, { entryPoint }]) =>
      extension === '.js' ? entryPoint?.endsWith(programs[program]) : basename(path).startsWith(`${program}-`),
    );
    return basename(found?.[0] ?? '');
  };
  const data = [countyNames(), countyShapes(), shoreCells()].flatMap((files) => [...files]);
  for (const [name, text] of data) texts.set(name, text);
  texts.set(
    'index.html',
    indexHtml({
      script: nameOf('main', '.js'),
      styles: nameOf('main', '.css'),
      workers: { rules: nameOf('rules', '.js') },
    }),
  );
  return withManifest(texts);
}
