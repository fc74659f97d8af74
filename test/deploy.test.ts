import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingsTable } from '../packages/apps/cli/src/settings/settings-table.ts';
import { workspace } from './support/running-leeward.ts';

const deploy = join(workspace, 'deploy');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');
const settings = new Set<string>(Object.values(settingsTable).map(({ variable }) => variable));

it('containers use only existing settings', () => {
  const files = [
    'Dockerfile',
    'compose.yaml',
    ...readdirSync(join(deploy, 'kubernetes')).map((name) => `kubernetes/${name}`),
  ];
  const named = files.flatMap((name) => [...read(name).matchAll(/LEEWARD_[A-Z_]+/g)].map(([variable]) => variable));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((variable) => !settings.has(variable))).toEqual([]);
});

describe('the image', () => {
  const text = read('Dockerfile').replaceAll('\\\n', ' ');
  const last = text.slice(text.lastIndexOf('\nFROM ')).trim().split('\n');

  it('runs as an unprivileged user, with the published files only', () => {
    expect(last.findLast((line) => line.startsWith('USER '))).toBe('USER node');
    expect(last.filter((line) => line.startsWith('COPY '))).toEqual(['COPY --from=build /leeward /leeward']);
  });

  it('has a health check that a runtime can run', () => {
    const [, words] = /^HEALTHCHECK .*? CMD (\[.*\])$/.exec(last.find((line) => line.startsWith('HEALTHCHECK'))!)!;
    expect(JSON.parse(words!)).toEqual(['node', '-e', expect.stringContaining('/healthz')]);
  });

  it('installs by the lockfile alone, and the packages of PostgreSQL and Redis with it', () => {
    const lines = text.split('\n').filter((line) => !line.startsWith('#'));
    const installs = [...lines.join('\n').matchAll(/npm (\w+)/g)]
      .map(([, verb]) => verb)
      .filter((verb) => verb !== 'run');
    expect(installs).toEqual(['ci', 'ci', 'cache']);
    const manifest = JSON.parse(read('package.json')) as { name: string; dependencies: object };
    expect(text).toContain(`npm ci --omit=dev --workspace ${manifest.name} `);
    const { packages } = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dependencies?: object; dev?: boolean; integrity?: string; link?: boolean }>;
    };
    expect(packages['deploy']?.dependencies).toEqual(manifest.dependencies);
    for (const name of Object.keys(manifest.dependencies)) {
      const entry = packages[`node_modules/${name}`];
      expect({ name, dev: entry?.dev }).toEqual({ name, dev: undefined });
      expect(entry?.link ?? entry?.integrity).toBeTruthy();
    }
  });

  it('is made by files and scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as { scripts: object };
    for (const [, name] of text.matchAll(/npm run (\w+)/g)) expect(Object.keys(scripts)).toContain(name);
    for (const [, file] of text.matchAll(/node (deploy\/\S+)/g)) expect(existsSync(join(workspace, file!))).toBe(true);
  });
});

it('workflows pin actions to a commit and name its version', () => {
  const folder = join(workspace, '.github/workflows');
  const uses = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/uses: .*/g) ?? []);
  const actions = uses.filter((line) => !line.startsWith('uses: ./'));
  expect(actions.length).toBeGreaterThan(15);
  expect(actions.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

it('compose starts two services and two workers, on a root file system that is read only', () => {
  interface Service {
    readonly image: string;
    readonly command?: readonly string[];
    readonly depends_on?: Readonly<Record<string, unknown>>;
    readonly environment: Readonly<Record<string, string>>;
  }
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: object;
  };
  const ours = Object.values(services).filter(({ image }) => image === 'leeward');
  expect(ours.map(({ command }) => command?.[0] ?? 'serve').sort()).toEqual(['serve', 'serve', 'worker', 'worker']);
  for (const service of ours) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    for (const name of Object.keys(service.depends_on!)) expect(services[name]).toHaveProperty('healthcheck');
    // The health check of the image applies to each service: it uses port 3000.
    expect(service).not.toHaveProperty('healthcheck');
    if (service.command?.[0] === 'worker') expect(service.environment).toMatchObject({ LEEWARD_METRICS_PORT: '3000' });
  }
  expect(Object.keys(volumes)).toEqual(['postgres', 'redis']);
});

it('every pod runs without rights, on a root file system that is read only, within a limit, from volumes that it has', () => {
  interface Pod {
    readonly securityContext: object;
    readonly volumes: readonly { readonly name: string }[];
    readonly containers: readonly {
      readonly args: readonly string[];
      readonly env?: readonly { readonly name: string; readonly value: string }[];
      readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
      readonly volumeMounts: readonly { readonly name: string }[];
    }[];
  }
  const documents = readdirSync(join(deploy, 'kubernetes')).flatMap((name) =>
    parseAllDocuments(read(`kubernetes/${name}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as { kind: string; spec: { template?: { spec: Pod } } };
    }),
  );
  const pods = documents.flatMap(({ spec }) => (spec.template === undefined ? [] : [spec.template.spec]));
  expect(pods).toHaveLength(3);
  for (const { securityContext, containers, volumes } of pods) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const container of containers) {
      expect(container).toMatchObject({
        resources: { limits: { memory: expect.any(String) } },
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
      });
      const isBook = container.args.some((word) => word.includes('leeward book run'));
      if (!isBook) {
        const [port] = container.ports!;
        expect(container).toMatchObject({
          readinessProbe: { httpGet: { path: '/readyz', port: port!.name } },
          livenessProbe: { httpGet: { path: '/healthz', port: port!.name } },
        });
        const told = container.env!.find(({ name }) => name === 'LEEWARD_METRICS_PORT')?.value;
        if (container.args[0] === 'worker') expect(told).toBe(String(port!.containerPort));
      }
      const mounted = container.volumeMounts.map(({ name }) => name);
      expect(volumes.map(({ name }) => name)).toEqual(expect.arrayContaining(mounted));
    }
  }
});
