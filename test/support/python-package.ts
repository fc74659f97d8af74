import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { python } from './engines.ts';
import { workspace } from './running-leeward.ts';

/** The Python package, installed by pip into a folder of this run, and the environment that uses it. */
export interface InstalledPackage {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A hanging run fails instead. */
const MAX_RUN_MS = 1_200_000;

/** Builds the package and installs it, without its dependencies and without a network. */
export function installPythonPackage(): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-python-'));
  const site = join(folder, 'site');
  const options = ['--quiet', '--no-deps', '--no-index', '--no-build-isolation', '--disable-pip-version-check'];
  const source = join(workspace, 'packages/extend/python');
  const { status, stderr } = spawnSync(python, ['-m', 'pip', 'install', ...options, '--target', site, source], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`pip could not install packages/extend/python: ${stderr}`);
  const environment = {
    ...process.env,
    PYTHONPATH: site,
    PYSPARK_PYTHON: python,
    PYTHONDONTWRITEBYTECODE: '1',
    // Spark starts three Java processes, which spend most of a short job compiling.
    JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
    // Ray gives up sooner by default, which a busy machine can exceed.
    RAY_raylet_start_wait_time_s: '300',
    RAY_agent_register_timeout_ms: '300000',
  };
  return { folder, environment };
}

/** Runs the program of a guide in the folder of the package. Returns what it prints. */
export function runProgram({ folder, environment }: InstalledPackage, program: string): string {
  const { status, stdout, stderr } = spawnSync(python, ['-'], {
    cwd: folder,
    env: environment,
    input: program,
    timeout: MAX_RUN_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : stderr;
}

/** Runs pytest on files of the package. Returns its exit status and output. */
export function runPytest(
  { folder, environment }: InstalledPackage,
  files: readonly string[],
  inputs: { readonly artifact: Uint8Array; readonly faults?: unknown },
): { readonly status: number | null; readonly output: string } {
  const [artifact, faults] = [join(folder, 'home.leeward'), join(folder, 'faults.json')];
  writeFileSync(artifact, inputs.artifact);
  writeFileSync(faults, JSON.stringify(inputs.faults ?? []));
  const tests = files.map((file) => join(workspace, 'packages/extend/python/tests', file));
  const { status, stdout, stderr } = spawnSync(
    python,
    ['-m', 'pytest', '-q', '--durations=5', '-p', 'no:cacheprovider', ...tests],
    {
      encoding: 'utf8',
      cwd: folder,
      env: { ...environment, LEEWARD_TEST_ARTIFACT: artifact, LEEWARD_TEST_FAULTS: faults },
      maxBuffer: 1 << 28,
      timeout: MAX_RUN_MS,
      killSignal: 'SIGKILL',
    },
  );
  return { status, output: `${stdout}\n${stderr}` };
}
