/**
 * `npm run fuzz` sends requests that schemathesis draws from the API document of a demo, valid and invalid ones, with each kind of token.
 * A valid request must be accepted, an invalid one refused, and every answer must be as documented. `allowed/schemathesis.json` lists
 * the differences that remain, with reasons; `*` in a name stands for any text.
 *
 * Options: `--examples N` for each operation, `--seed N`, `--tokens a,b`, `--phases a,b`, `--operations REGEX` of paths.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Demo, startDemo } from '../test/support/demo.ts';
import { operatorToken } from '../test/support/journey.ts';
import { signInAs } from '../test/support/sign-in-client.ts';
import { type Outcome, outcomes } from './outcome.ts';

const tokens: Readonly<Record<string, (demo: Demo) => string | undefined | Promise<string>>> = {
  agency: ({ keys }) => keys.api_key,
  team: ({ keys }) => keys.team_token,
  admin: ({ keys }) => keys.admin_token,
  author: ({ keys }) => keys.author_token,
  operator: () => operatorToken,
  person: async ({ url }) => (await signInAs(url, 'kim')).tokens[0]!.token,
  none: () => undefined,
};

/** A failure of one request, as `hooks.py` writes it. */
interface Difference {
  /** Each with the pattern that allows it, or null. */
  readonly names: readonly (readonly [name: string, allowedBy: string | null])[];
  readonly message: string;
  readonly request: string;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    tokens: { type: 'string', default: Object.keys(tokens).join(',') },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    operations: { type: 'string', default: '.' },
  },
});
const kinds = values.tokens.split(',');
const unknown = kinds.filter((kind) => !Object.hasOwn(tokens, kind));
if (unknown.length > 0) {
  console.error(`There is no token ${unknown.join(', ')}. Tokens: ${Object.keys(tokens).join(', ')}.`);
  process.exit(2);
}

const folder = join(import.meta.dirname, 'schemathesis');
const allowedFile = join(import.meta.dirname, 'allowed/schemathesis.json');
const allowed: { readonly reason: string; readonly cases: readonly string[] }[] = JSON.parse(
  readFileSync(allowedFile, 'utf8'),
);
const patterns = allowed.flatMap(({ cases }) => cases);
const schemathesis = install();
const out = mkdtempSync(join(tmpdir(), 'leeward-fuzz-'));
let requests = 0;
const differences: Difference[] = [];
try {
  for (const kind of kinds) {
    const before = differences.length;
    const sent = await fuzz(kind);
    requests += sent;
    console.log(`${kind}: ${sent} requests, ${differences.length - before} differences`);
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}
report();

/** A virtual environment, renewed when the requirements change. Returns the program. */
function install(): string {
  const environment = join(import.meta.dirname, '../node_modules/.cache/schemathesis');
  const requirements = join(folder, 'requirements.txt');
  const installed = join(environment, 'installed.txt');
  const needed = readFileSync(requirements, 'utf8');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== needed) {
    execFileSync('python3', ['-m', 'venv', '--clear', environment], { stdio: 'inherit' });
    const words = ['install', '--quiet', '--disable-pip-version-check', '-r', requirements];
    execFileSync(join(environment, 'bin/pip'), words, { stdio: 'inherit' });
    writeFileSync(installed, needed);
  }
  return join(environment, 'bin/schemathesis');
}

/** Fuzzes a new demo. Returns the number of requests. */
async function fuzz(kind: string): Promise<number> {
  const demo = await startDemo({
    apart: 'leeward',
    signIn: true,
    environment: {
      LEEWARD_LOG_LEVEL: 'silent',
      LEEWARD_LINES: 'home,condo,flood',
      LEEWARD_CAPTURE: '1',
      LEEWARD_OPERATOR_TOKEN: operatorToken,
      LEEWARD_RATE_LIMIT: '0',
      LEEWARD_ADDRESS_RATE_LIMIT: '0',
      LEEWARD_ITEM_LIMIT: '0',
      LEEWARD_MAX_IN_FLIGHT: '0',
      LEEWARD_MAX_DELAY_MS: '0',
    },
  });
  try {
    const token = await tokens[kind]!(demo);
    const [failures, summary] = [join(out, `${kind}.jsonl`), join(out, `${kind}.json`)];
    writeFileSync(failures, '');
    const { examples, seed, phases, operations } = values;
    const words = [
      ...[
        'run',
        `${demo.url}/openapi.json`,
        '--no-color',
        '--max-examples',
        examples,
        '--seed',
        seed,
        '--phases',
        phases,
      ],
      ...['--include-path-regex', operations, '--report', 'json', '--report-json-path', summary],
      ...(token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`]),
    ];
    const output = await run(words, { FUZZ_ALLOWED: JSON.stringify(patterns), FUZZ_FAILURES: failures });
    if (!existsSync(summary)) throw new Error(`schemathesis did not finish:\n${output}`);
    const { test_cases, errors } = JSON.parse(readFileSync(summary, 'utf8')) as {
      readonly test_cases: { readonly generated: number };
      readonly errors: readonly unknown[];
    };
    if (errors.length > 0) throw new Error(`schemathesis failed:\n${output}`);
    for (const line of readFileSync(failures, 'utf8').split('\n')) if (line !== '') differences.push(JSON.parse(line));
    return test_cases.generated;
  } finally {
    await demo.stop();
  }
}

function run(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', ...environment };
  const config = ['--config-file', join(folder, 'schemathesis.toml')];
  const child = spawn(schemathesis, [...config, ...words], { cwd: out, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', () => resolve(output)));
}

/** Prints each kind of difference that is not allowed, and keeps the counts for the table. */
function report(): void {
  const refused = new Map<string, { readonly example: Difference; count: number }>();
  const counts = new Map<string, number>();
  for (const difference of differences) {
    const open = difference.names.filter(([, allowedBy]) => allowedBy === null);
    for (const [name] of open) {
      const entry = refused.get(name) ?? { example: difference, count: 0 };
      entry.count++;
      refused.set(name, entry);
    }
    const [first] = difference.names;
    if (open.length > 0 || !first) continue;
    const { reason = '' } = allowed.find(({ cases }) => cases.includes(first[1]!)) ?? {};
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  for (const [name, { example, count }] of [...refused].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.error(`\n${name} (${count})\n  ${example.request} ${example.body.slice(0, 500)}`);
    console.error(`  ${example.message.replaceAll(/\s+/g, ' ').slice(0, 500)}`);
    console.error(`  ${example.status} ${example.answer.slice(0, 500).replaceAll(/\s+/g, ' ')}`);
  }
  const open = differences.filter(({ names }) => names.some(([, allowedBy]) => allowedBy === null)).length;
  console.log(`${requests} requests, ${open} differences that are not allowed, of ${refused.size} kinds`);
  const isWhole = kinds.length === Object.keys(tokens).length && values.operations === '.';
  const used = new Set(differences.flatMap(({ names }) => names.map(([, allowedBy]) => allowedBy)));
  const unused = patterns.filter((pattern) => !used.has(pattern));
  if (isWhole && unused.length > 0) console.log(`Allowed, but not seen: ${unused.join(', ')}`);
  const listed = [...counts].map(([reason, cases]) => ({ reason, cases }));
  const passed = requests - differences.length;
  const outcome: Outcome = { name: 'schemathesis', isWhole, cases: requests, passed, allowed: listed };
  mkdirSync(outcomes, { recursive: true });
  writeFileSync(join(outcomes, 'schemathesis.json'), `${JSON.stringify(outcome, null, 2)}\n`);
  process.exitCode = refused.size > 0 ? 1 : 0;
}
