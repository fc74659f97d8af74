import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxProvider } from '../../../packages/apps/cli/src/demo/sandbox-provider.ts';
import { startLeeward } from '../leeward-process.ts';
import { workspace } from '../running-leeward.ts';
import { smallCoastline } from '../small-coastline.ts';

export interface FuzzedService {
  readonly url: string;
  /** Resident memory of its processes, in MB, as Linux reports it; 0 on other systems. */
  residentMegabytes(): number;
  stop(): Promise<void>;
}

/**
 * Starts a separate service over all carriers, without limits that would reject a fuzzer. It uses the database of
 * `LEEWARD_FUZZ_DATABASE_URL`, else SQLite.
 */
export async function startFuzzed(operatorToken: string): Promise<FuzzedService> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'leeward-fuzz-'));
  const sandbox = await startSandboxProvider(0, workspace);
  const databaseUrl = process.env['LEEWARD_FUZZ_DATABASE_URL'];
  const leeward = startLeeward(['serve', '--carriers', join(workspace, 'fixtures/carriers')], {
    environment: {
      PORT: '0',
      LEEWARD_DATA_DIR: dataFolder,
      LEEWARD_OPERATOR_TOKEN: operatorToken,
      LEEWARD_LOG_LEVEL: 'silent',
      LEEWARD_OIDC_ISSUER: sandbox.issuer,
      LEEWARD_OIDC_CLIENT_ID: sandbox.clientId,
      LEEWARD_OIDC_REDIRECT_URIS: 'https://leeward.palmetto-coast.example/',
      LEEWARD_RATE_LIMIT: '0',
      LEEWARD_MAX_IN_FLIGHT: '0',
      LEEWARD_MAX_DELAY_MS: '0',
      // Opening the shipped coastline is half the cost of a start, so only runs with a test volume use it.
      ...(process.env['LEEWARD_TEST_VOLUME'] === undefined && smallCoastline),
      ...(databaseUrl === undefined ? {} : { LEEWARD_DATABASE_URL: databaseUrl }),
    },
  });
  await leeward.says('Leeward is up');
  return {
    url: /http:\/\/\S+/.exec(leeward.output())![0],
    residentMegabytes: () => residentMegabytes(leeward.process.pid!),
    async stop() {
      await leeward.stop();
      await sandbox.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function residentMegabytes(pid: number): number {
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean);
    return Math.round(
      children
        .map(Number)
        .map(residentMegabytes)
        .reduce((sum, each) => sum + each, own),
    );
  } catch {
    return 0;
  }
}
