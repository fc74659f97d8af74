import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../packages/apps/cli/src/run-command-line.ts';
import { catchTerminal } from '../packages/apps/cli/src/testing/caught-terminal.ts';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { temporaryFolder } from '../packages/apps/cli/src/testing/temporary-folder.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { chooseAtProvider } from './support/sign-in-client.ts';
import { smallCoastline } from './support/small-coastline.ts';

let demo: Demo;
const folder = temporaryFolder();
beforeAll(async () => {
  demo = await startDemo({ signIn: true, environment: smallCoastline });
});
afterAll(async () => {
  await demo.stop();
  folder[Symbol.dispose]();
});

const environmentOf = (config: string) => ({
  XDG_CONFIG_HOME: join(folder.path, config),
  LEEWARD_URL: demo.url,
  LEEWARD_DATA_DIR: demo.dataFolder,
});
const leeward = (config: string, words: string, now = Date.now()) =>
  runWords(words.split(' '), { environment: environmentOf(config), folder: folder.path, now: () => new Date(now) });
const fileOf = (config: string) => join(folder.path, config, 'leeward', 'sign-ins.json');

/** Runs `leeward login`, chooses a person at the provider, and returns to the command with these changes of the answer. */
async function login(config: string, person: string, changes: Record<string, string>[] = [{}]) {
  const caught = catchTerminal({ environment: environmentOf(config), folder: folder.path });
  const ended = runCommandLine(['login'], caught.terminal);
  const address = await vi.waitFor(() => /http\S+\/auth\S+/.exec(caught.errors())![0], 10_000);
  const { searchParams } = new URL(address);
  const redirect_uri = searchParams.get('redirect_uri')!;
  const started = { redirect_uri, authorization_url: address, issuer: new URL(address).origin };
  const answer = await chooseAtProvider({ ...started, state: '', nonce: '', code_verifier: '' }, person);
  const pages: { readonly status: number; readonly text: string }[] = [];
  for (const change of changes) {
    const response = await fetch(`${redirect_uri}?${new URLSearchParams({ ...answer, ...change })}`);
    pages.push({ status: response.status, text: await response.text() });
  }
  return { code: await ended, output: caught.output(), errors: caught.errors(), pages };
}

describe('leeward login', () => {
  it('signs in with a browser, stores tokens for the owner alone, and signs out', async () => {
    const { code, output, pages } = await login('ana', 'ana');
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('as Ana Núñez of Palmetto Coast Agency'),
    });
    expect(pages).toEqual([{ status: 200, text: expect.stringContaining('<h1>Signed in as Ana Núñez</h1>') }]);
    expect(statSync(fileOf('ana')).mode & 0o777).toBe(0o600);
    const whoami = JSON.parse((await leeward('ana', 'whoami --json')).output);
    expect(whoami).toMatchObject({
      person: 'Ana Núñez',
      teams: [],
      scopes: ['underwrite', 'distance', 'rules', 'admin'],
    });
    expect((await leeward('ana', 'rules status')).output).toBe('Nothing was published.\n');
    const stored = readFileSync(fileOf('ana'), 'utf8');
    const token = /lw_\w+/.exec(stored)![0];
    expect((await leeward('ana', 'logout')).output).toBe(`Signed out of ${demo.url}.\n`);
    expect(readFileSync(fileOf('ana'), 'utf8')).toBe('{}\n');
    const refused = await fetch(`${demo.url}/v1/token`, { headers: { authorization: `Bearer ${token}` } });
    expect(refused.status).toBe(401);
    expect((await leeward('ana', 'whoami')).errors).toContain('You are not signed in');
  });

  it('refuses answers with another state, and those of another provider', async () => {
    const foreign = await login('kim', 'kim', [{ state: 'x'.repeat(43) }, {}]);
    expect(foreign.pages.map(({ status }) => status)).toEqual([400, 200]);
    expect(foreign.code).toBe(0);
    const other = await login('ben', 'ben', [{ iss: 'https://evil.example' }]);
    expect(other).toMatchObject({ code: 1, errors: expect.stringContaining('another provider') });
    expect(other.pages[0]!.text).toContain('<h1>Not signed in</h1>');
    expect((await leeward('ben', 'whoami')).code).toBe(1);
  });

  it('quotes with the token of the team, and renews tokens before they expire', async () => {
    expect((await leeward('kim', 'quote list')).code).toBe(0);
    const before = JSON.parse(readFileSync(fileOf('kim'), 'utf8'));
    await leeward('kim', 'quote list', Date.now() + 30 * 60_000);
    const after = JSON.parse(readFileSync(fileOf('kim'), 'utf8'));
    expect(after[demo.url].expires_at >= before[demo.url].expires_at).toBe(true);
    expect(after[demo.url].expires_at).not.toBe(before[demo.url].expires_at);
    const late = await leeward('kim', 'quote list', Date.now() + 2 * 3_600_000);
    expect(late).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`has ended. Run leeward login --url ${demo.url}`),
    });
  });

  it('describes other tokens, and names a broken file', async () => {
    const plain = await leeward('none', `whoami --token ${demo.keys.team_token}`);
    expect(plain.output).toMatch(/teams +Personal lines\n/);
    expect(plain.output).not.toContain('person');
    writeFileSync(fileOf('ana'), 'broken');
    expect(await leeward('ana', 'whoami')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('sign-ins.json cannot be read'),
    });
  });
});
