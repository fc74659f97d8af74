import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Programs of npm are scripts of the shell on Windows. */
export const inShell = process.platform === 'win32';

/** Tarballs of a folder by the name of their package: `leeward-engine-1.2.0.tgz` is `@leeward/engine`. */
export function tarballsOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder)
      .filter((file) => /^leeward(-[a-z]+)*-\d[\w.-]*\.tgz$/.test(file))
      .map((file) => [nameOf(file), resolve(folder, file)] as const),
  );
}

function nameOf(file: string): string {
  const name = /^leeward(?:-([a-z]+(?:-[a-z]+)*))?-\d/.exec(file)?.[1];
  return name === undefined ? 'leeward' : `@leeward/${name}`;
}

/** Packs every package that would be published. */
export function packAll(root: string): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-tarballs-'));
  const packed = ['pack', '--workspaces', '--silent', '--pack-destination', folder];
  execFileSync('npm', packed, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: inShell });
  return tarballsOf(folder);
}

/** An empty folder of a new user. Leeward packages come from tarballs, also for indirect dependencies. */
export class FreshFolder {
  readonly path: string;
  readonly #tarballs: ReadonlyMap<string, string>;
  readonly #dependencies: Record<string, string> = {};

  constructor(tarballs: ReadonlyMap<string, string>, path = mkdtempSync(join(tmpdir(), 'leeward-fresh-'))) {
    this.path = path;
    this.#tarballs = tarballs;
  }

  /** Installs packages as `npm install NAMES` will after publishing. Throws if npm fails. */
  install(
    names: readonly string[],
    environment: NodeJS.ProcessEnv = process.env,
    stdio: StdioOptions = 'inherit',
  ): void {
    for (const name of names) this.#dependencies[name] = this.#specifierOf(name) ?? '*';
    const overrides = Object.fromEntries(
      [...this.#tarballs.keys()]
        .filter((name) => this.#dependencies[name] === undefined)
        .map((name) => [name, this.#specifierOf(name)!]),
    );
    const manifest = { private: true, type: 'module', dependencies: this.#dependencies, overrides };
    writeFileSync(join(this.path, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const words = [
      'install',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--prefer-offline',
      '--loglevel=error',
    ];
    execFileSync('npm', words, { cwd: this.path, env: environment, stdio, shell: inShell });
  }

  #specifierOf(name: string): string | undefined {
    const tarball = this.#tarballs.get(name);
    return tarball === undefined ? undefined : `file:${tarball}`;
  }
}
