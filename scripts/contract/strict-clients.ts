import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program of `contract/` and returns its output. */
type Run = (program: string, ...words: string[]) => string;

interface Generator {
  readonly name: string;
  /** Writes the types of the document into `folder`. */
  generate(run: Run, document: string, folder: string): void;
  /** Declares the types of requests that `uses` names, from the generated file. */
  readonly imports: string;
}

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    generate: (run, document, folder) => run('openapi-typescript', document, '--output', join(folder, 'types.ts')),
    imports: `import type { components } from './types.js';
type HomeUnderwritingRequest = components['schemas']['HomeUnderwritingRequest'];
type DistanceRequest = components['schemas']['DistanceRequest'];
type QuoteRequest = components['schemas']['QuoteRequest'];`,
  },
  {
    name: 'hey-api',
    generate: (run, document, folder) =>
      run('openapi-ts', '--input', document, '--output', folder, '--plugins', '@hey-api/typescript', '--silent'),
    imports: `import type { DistanceRequest, HomeUnderwritingRequest, QuoteRequest } from './types.gen.js';`,
  },
  {
    name: 'orval',
    generate: (run, document, folder) =>
      run('orval', '--input', document, '--output', join(folder, 'client.ts'), '--client', 'fetch'),
    imports: `import type { DistanceRequest, HomeUnderwritingRequest, QuoteRequest } from './client.js';`,
  },
];

const accepted = [
  `{ state: 'tx', policy_type: 'ho3', roof_type: 'metal', roof_age: 8 } satisfies HomeUnderwritingRequest`,
  `{ lat: 29.3, lng: -94.8, coast: 'tidal' } satisfies DistanceRequest`,
];

/** Each is a mistake that must not compile. */
const refused = {
  'a misspelled field': `{ state: 'tx', rof_age: 8 } satisfies HomeUnderwritingRequest`,
  'a misspelled field of a loss': `{ state: 'tx', losses: [{ amuont: 4000 }] } satisfies HomeUnderwritingRequest`,
  'a wrong value': `{ state: 'tx', policy_type: 'ho33' } satisfies HomeUnderwritingRequest`,
  'a missing field': `{ county: 'harris' } satisfies HomeUnderwritingRequest`,
  'a wrong type': `{ state: 'tx', roof_age: true } satisfies HomeUnderwritingRequest`,
  'a misspelled coordinate': `{ lat: 29.3, lon: -94.8 } satisfies DistanceRequest`,
  'a wrong product': `'homeownrs' satisfies NonNullable<QuoteRequest['product_code']>`,
};

/**
 * Generates clients with programs that people use, and compiles calls with each: mistakes in a request must be type errors.
 *
 * @param folder of the programs; the clients are written below it
 * @returns the names of the generators
 */
export function checkStrictClients(run: Run, document: string, folder: string): string {
  const clients = join(folder, '.clients');
  rmSync(clients, { recursive: true, force: true });
  for (const { name, generate, imports } of generators) {
    const own = join(clients, name);
    mkdirSync(own, { recursive: true });
    generate(run, document, own);
    const mistakes = Object.entries(refused).map(
      ([mistake, code]) => `// @ts-expect-error ${mistake}\nvoid (${code});`,
    );
    writeFileSync(
      join(own, 'uses.ts'),
      `${imports}\n${[...accepted.map((code) => `void (${code});`), ...mistakes].join('\n')}\n`,
    );
  }
  const options = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  writeFileSync(join(clients, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*/uses.ts'] }));
  run('tsc', '--project', clients);
  return `${generators.map(({ name }) => name).join(', ')}: ${Object.keys(refused).length} mistakes refused`;
}
