import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { evidenceSources, homeVocabulary } from '@leeward/engine';
import { type RequestField, requestFieldsOf } from '@leeward/engine/vocabulary';
import { countiesOf, states } from '@leeward/places/counties';
import { build, type Metafile, type Plugin, version } from 'esbuild';
import { countyShapeFiles } from './county-shape-files.ts';
import { keptPage, type MadePage } from './kept-page.ts';
import { mapCells } from './map-cells.ts';
import { nameHash } from './page-files.ts';

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** `index.html` loads the first; the others are workers. */
const programs = {
  main: 'shell/main.tsx',
  evaluator: 'threads/evaluator-worker.ts',
  rules: 'rules/rules-worker.ts',
} as const;

/** Not in a page. Rules that need json-rules-engine are left to the service. */
const absent = ['node:*', 'json-rules-engine'];

/** Throws if the page imports an external module other than json-rules-engine, dynamically. */
function expectWhole({ outputs }: Metafile): void {
  for (const [name, { imports }] of Object.entries(outputs)) {
    const missing = imports.find(
      ({ external, path, kind }) => external && !(path === 'json-rules-engine' && kind === 'dynamic-import'),
    );
    if (missing) throw new Error(`${name} imports ${missing.path}, which no page has.`);
  }
}

const workspace = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Builds the page from source, by name. The cache key includes the fields, which depend on the year. */
export async function bundlePage(): Promise<ReadonlyMap<string, string>> {
  const fields = JSON.stringify(homeFields());
  return keptPage(`${version} ${fields}`, () => makePage(fields));
}

async function makePage(fields: string): Promise<MadePage> {
  const texts = new Map<string, string>();
  const data: [name: string, text: string][] = [
    ['counties.json', countyNames()],
    ...countyShapeFiles(),
    ...(await mapCells()),
  ];
  const dataVersion = nameHash(...data.flat());
  for (const [name, text] of data) texts.set(name.replace(/\.json$/, `-${dataVersion}.json`), text);
  const { outputFiles, metafile } = await build({
    entryPoints: Object.entries(programs).map(([out, path]) => ({ in: source(path), out })),
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    outdir: 'page',
    absWorkingDir: workspace,
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    charset: 'utf8',
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@leeward/source'],
    external: absent,
    plugins: [
      countiesApart((name, text) => {
        texts.set(name, text);
      }),
    ],
    define: {
      HOME_FIELDS: fields,
      EVIDENCE_SOURCES: JSON.stringify(evidenceSources),
      HOME_GIVEN_TOGETHER: JSON.stringify(homeVocabulary.givenTogether),
      DATA_VERSION: JSON.stringify(dataVersion),
    },
    legalComments: 'none',
    logLevel: 'silent',
    // A name that a data file does not export.
    logOverride: { 'import-is-undefined': 'error' },
  });
  expectWhole(metafile);
  for (const { path, text } of outputFiles) texts.set(basename(path), text);
  const nameOf = (program: keyof typeof programs, extension: string) => {
    const outputs = Object.entries(metafile.outputs).filter(([path]) => path.endsWith(extension));
    const output = outputs.find(([path, { entryPoint }]) =>
      extension === '.js' ? entryPoint?.endsWith(programs[program]) : basename(path).startsWith(`${program}-`),
    );
    return basename(output?.[0] ?? '');
  };
  const script = nameOf('main', '.js');
  texts.set(
    'index.html',
    indexHtml({
      script,
      parts: staticParts(metafile, `page/${script}`),
      styles: nameOf('main', '.css'),
      workers: { evaluator: nameOf('evaluator', '.js'), rules: nameOf('rules', '.js') },
    }),
  );
  return { texts, inputs: Object.keys(metafile.inputs) };
}

/** The parts that a program imports statically, directly or not. */
function staticParts({ outputs }: Metafile, program: string): readonly string[] {
  const parts = new Set([program]);
  for (const part of parts)
    for (const { path, kind } of outputs[part]?.imports ?? []) if (kind === 'import-statement') parts.add(path);
  parts.delete(program);
  return [...parts].map((part) => basename(part));
}

/** Name and counties (FIPS code, name) of each state, by its code. */
function countyNames(): string {
  const byState = Object.fromEntries(
    states.map(({ code, name }) => [
      code,
      { name, counties: countiesOf(code).map((county) => [county.fips, county.name]) },
    ]),
  );
  return JSON.stringify(byState);
}

/**
 * Form fields of every home, from the engine's vocabulary, so that the form does not load the engine. The service adds
 * the fields that its carriers need.
 */
function homeFields(): readonly RequestField[] {
  const effectiveYear = new Date().getUTCFullYear();
  return requestFieldsOf(homeVocabulary, { effectiveYear }).flatMap(({ description: _, ...field }) =>
    field.on_demand ? [] : [field as RequestField],
  );
}

const table = /[\\/]places[\\/].*[\\/]data\.generated\.ts$/;
const extents = /[\\/]places[\\/].*[\\/]extents\.generated\.ts$/;

/** The program waits for this file. */
const loading = (file: string) => `
const response = await fetch(new URL('./${file}', import.meta.url));
if (!response.ok) throw new Error('The table of counties did not come: ' + response.status);
const { kinds: k, packedCounties: p } = await response.json();
export const kinds = new Map(k);
export const packedCounties = new Map(p);
`;

const loadingExtents = (file: string) => `
const response = await fetch(new URL('./${file}', import.meta.url));
if (!response.ok) throw new Error('The extents of counties did not come: ' + response.status);
export const packedExtents = (await response.json()).packedExtents;
`;

/** Moves the tables of counties from the programs into data files that each loads. `take` receives their names and texts. */
const countiesApart = (take: (name: string, text: string) => void): Plugin => ({
  name: 'counties-apart',
  setup(build) {
    build.onLoad({ filter: table }, async ({ path }) => {
      const { kinds, packedCounties } = (await import(pathToFileURL(path).href)) as Record<string, Map<string, string>>;
      const text = JSON.stringify({ kinds: [...kinds!], packedCounties: [...packedCounties!] });
      const file = `counties-packed-${nameHash(text)}.json`;
      take(file, text);
      return { contents: loading(file), loader: 'js' };
    });
    build.onLoad({ filter: extents }, async ({ path }) => {
      const { packedExtents } = (await import(pathToFileURL(path).href)) as { packedExtents: string };
      const text = JSON.stringify({ packedExtents });
      const file = `county-extents-${nameHash(text)}.json`;
      take(file, text);
      return { contents: loadingExtents(file), loader: 'js' };
    });
  },
});

/** The icon of the page as a URL, which needs no request. */
function icon(): string {
  return encodeURIComponent(readFileSync(new URL('../design/icon.svg', import.meta.url), 'utf8').trim());
}

interface PageParts {
  readonly script: string;
  /** Loaded together with the script, instead of after it. */
  readonly parts: readonly string[];
  readonly styles: string;
  /** By attribute: `data-worker-evaluator`. */
  readonly workers: Readonly<Record<string, string>>;
}

/** Addresses are relative, so that a host may mount the page below a prefix. */
function indexHtml({ script, parts, styles, workers }: PageParts): string {
  const data = Object.entries(workers).map(([name, file]) => ` data-worker-${name}="./workbench/${file}"`);
  return `<!doctype html>
<html lang="en"${data.join('')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Leeward workbench</title>
<link rel="icon" href="data:image/svg+xml,${icon()}">
<link rel="stylesheet" href="./workbench/${styles}">
<script type="module" src="./workbench/${script}"></script>
${parts.map((part) => `<link rel="modulepreload" href="./workbench/${part}">`).join('\n')}
</head>
<body>
<div id="page"><noscript>The workbench needs scripts; ./docs describes the HTTP API.</noscript></div>
</body>
</html>
`;
}
