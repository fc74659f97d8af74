/**
 * `npm run check:guides [-- --tarballs FOLDER] [GUIDE …]`
 *
 * Types the guides for each kind of user, each in an empty folder with packed packages only, and compares the output
 * with the guide.
 * Servers that a guide starts run until it ends. Needs a build, and PostgreSQL and Redis for the lines that use them;
 * without a server
 * those lines are skipped and listed.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takeFileStep } from '../packages/apps/cli/src/testing/guide-files.ts';
import { type GuideStep, guideSteps, linesMissing } from '../packages/apps/cli/src/testing/guide-steps.ts';
import { FreshFolder, packAll, tarballsOf } from './release/fresh-folder.ts';

const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { tarballs: { type: 'string' }, verbose: { type: 'boolean' } },
  allowPositionals: true,
});
const all = ['docs/start.md', 'docs/embed.md', 'docs/authoring-guide.md', 'docs/operate.md'];
const guides = positionals.length > 0 ? positionals : all;
const tarballs = values.tarballs === undefined ? packAll(root) : tarballsOf(values.tarballs);

function isReachable(port: number): Promise<boolean> {
  return new Promise((found) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => found(true)).once('error', () => found(false));
    socket.once('connect', () => socket.destroy());
  });
}
/** In the place of 3000, which somebody else may have. */
const port = await new Promise<number>((found) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address() as AddressInfo;
    server.close(() => found(free));
  });
});
/** In the place of one called leeward, which may hold somebody's work; made by the guide, and gone with it. */
const ownDatabase = 'leeward_guides';
const dropDatabase = () =>
  spawnSync('dropdb', ['-h', '127.0.0.1', '-U', 'postgres', '--if-exists', '--force', ownDatabase], {
    stdio: 'ignore',
  });
const forHere = (text: string) =>
  text
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll(/(createdb -h 127\.0\.0\.1 |postgres:\/\/127\.0\.0\.1\/)leeward\b/g, `$1${ownDatabase}`);
const hasServers = (await isReachable(5432)) && (await isReachable(6379));

class Reader {
  readonly #folder: FreshFolder;
  /** Replaces npm's global folder. Created when a guide needs it. */
  #global: FreshFolder | undefined;
  readonly #environment: Record<string, string | undefined>;
  readonly #running: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
  readonly faults: string[] = [];
  output = '';

  constructor() {
    this.#folder = new FreshFolder(tarballs);
    // Removes settings of the service and keeps npm's registry settings.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(LEEWARD_|NODE_COMPILE|npm_(?!config_(registry|cafile|.*proxy)))/.test(name),
    );
    const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
    const own = { PATH: path, NO_COLOR: '1', PGUSER: 'postgres', PORT: String(port) };
    this.#environment = { ...Object.fromEntries(inherited), ...own };
  }

  async take(step: GuideStep): Promise<void> {
    if (step.kind === 'output') {
      const missing = linesMissing(step.text, this.output);
      if (missing.length > 0)
        this.faults.push(`${missing.join('\n')}\n  is not in what came out:\n${this.output.slice(-3000)}`);
    } else if (step.kind !== 'shell') takeFileStep(this.#folder.path, step);
    else if (step.keepsRunning) await this.#start(step.text);
    else this.#type(step.text, step.endsWith);
  }

  #type(text: string, endsWith: number): void {
    this.output = '';
    const lines = text.replaceAll('\\\n', ' ').trim().split('\n');
    const typed: string[] = [];
    const finish = () => {
      if (typed.length > 0) this.#run(typed.splice(0).join('\n'), endsWith);
    };
    for (const line of lines) {
      const installed = /^npm install (--global )?((?:[@\w./-]+ ?)+)/.exec(line);
      if (installed === null) typed.push(line);
      else {
        finish();
        const folder = installed[1] === undefined ? this.#folder : this.#globalFolder();
        folder.install(installed[2]!.trim().split(' '), this.#environment as NodeJS.ProcessEnv, 'ignore');
      }
    }
    finish();
  }

  #globalFolder(): FreshFolder {
    if (this.#global === undefined) {
      this.#global = new FreshFolder(tarballs);
      this.#environment['PATH'] = `${join(this.#global.path, 'node_modules/.bin')}:${this.#environment['PATH']}`;
    }
    return this.#global;
  }

  /** Blocks share exported variables, as in one terminal. */
  #run(script: string, endsWith: number): void {
    const mark = '\0environment\0';
    const { stdout, stderr, status } = spawnSync('bash', ['-ec', `${script}\nprintf '\\0environment\\0'; env -0`], {
      cwd: this.#folder.path,
      env: this.#environment as NodeJS.ProcessEnv,
      encoding: 'utf8',
      timeout: 300_000,
    });
    const [said = '', after = ''] = stdout.split(mark);
    this.output += said + stderr;
    if (values.verbose) console.log(`$ ${script}\n${said}${stderr}`);
    if (status !== endsWith)
      this.faults.push(`$ ${script}\n  ended with ${status} in the place of ${endsWith}:\n${said}${stderr}`);
    for (const [, name, value] of after.matchAll(/(?:^|\0)([A-Z_]+)=([^\0]*)/g)) this.#environment[name!] = value;
  }

  async #start(script: string): Promise<void> {
    const child = spawn('bash', ['-c', script.replaceAll('\\\n', ' ')], {
      cwd: this.#folder.path,
      env: this.#environment as NodeJS.ProcessEnv,
      detached: true,
    });
    // Not its pipes: what it started may hold them longer.
    let isLeft = false;
    const ended = once(child, 'exit').then(() => {
      isLeft = true;
    });
    this.#running.push({ child, ended });
    let said = '';
    const up = new Promise<void>((found) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (/http:\/\/|asking|worker/i.test(said)) found();
        });
    });
    await Promise.race([up, ended]);
    if (isLeft) this.faults.push(`$ ${script}\n  ended:\n${said}`);
    if (values.verbose) console.log(`$ ${script}\n${said}`);
    this.output = said;
  }

  async leave(): Promise<void> {
    for (const { child, ended } of this.#running) {
      try {
        process.kill(-child.pid!, 'SIGTERM');
      } catch {
        // The process ended and has reported the reason.
      }
      await ended;
    }
    for (const folder of [this.#folder, this.#global])
      if (folder !== undefined) rmSync(folder.path, { recursive: true, force: true });
  }
}

let failed = 0;
for (const guide of guides) {
  const startMs = performance.now();
  const reader = new Reader();
  if (hasServers) dropDatabase();
  const steps = guideSteps(readFileSync(join(root, guide), 'utf8'));
  const taken = steps.filter(({ needsServers }) => hasServers || !needsServers);
  for (const step of taken) await reader.take('text' in step ? { ...step, text: forHere(step.text) } : step);
  const faults = [...reader.faults];
  await reader.leave();
  if (hasServers) dropDatabase();
  failed += faults.length;
  const left = steps.length - taken.length;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(
    `${guide}: ${taken.length} steps in ${seconds} s${left > 0 ? `, ${left} left out for want of PostgreSQL and Redis` : ''}`,
  );
  for (const fault of faults) console.error(fault);
}
process.exitCode = failed > 0 ? 1 : 0;
