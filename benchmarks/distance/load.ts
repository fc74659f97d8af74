import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

/** Requests of a run: one path and bodies in turn. None is a GET. */
export interface Asked {
  readonly url: string;
  readonly token: string;
  readonly bodies: readonly string[];
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends requests as fast as the server answers. Throws on an unexpected status. */
export type Load = (
  asked: Asked,
  options: { readonly seconds: number; readonly status: number },
) => Promise<LoadResult>;

export const CONNECTIONS = 32;

/** wrk if installed, which leaves the processor to the server; otherwise our client. */
export function findLoad(folder: string): { readonly name: string; readonly load: Load } {
  const isThere = spawnSync('wrk', ['--version']).error === undefined;
  return isThere ? { name: 'wrk', load: wrkLoad(folder) } : { name: 'node:http', load: nodeLoad };
}

function wrkLoad(folder: string): Load {
  return async ({ url, token, bodies }, { seconds, status }) => {
    const script = join(folder, 'ask.lua');
    writeFileSync(script, scriptOf(token, bodies, status));
    const words = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', script, url];
    const output = await new Promise<string>((resolve, reject) => {
      const child = spawn('wrk', words, { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      child.once('error', reject).once('close', () => resolve(text));
    });
    const find = (pattern: RegExp) => pattern.exec(output) ?? [];
    const [, other] = find(/answers of another status: (\d+)/);
    const [, perSecond] = find(/Requests\/sec:\s+([\d.]+)/);
    if (other !== '0' || perSecond === undefined || /Socket errors/.test(output)) throw new Error(output);
    const latency = (share: string) => milliseconds(find(new RegExp(`\\s${share}%\\s+([\\d.]+)(us|ms|s)`)));
    return { perSecond: Number(perSecond), p50Ms: latency('50'), p99Ms: latency('99') };
  };
}

function milliseconds([, value, unit]: readonly (string | undefined)[]): number {
  return Number(value) * ({ us: 1e-3, ms: 1, s: 1e3 }[unit ?? ''] ?? Number.NaN);
}

/** A script for wrk: sends each body unchanged and counts unexpected statuses. */
function scriptOf(token: string, bodies: readonly string[], status: number): string {
  const lines = bodies.map((body) => `  ${luaText(body)},`);
  return `local bodies = {
${lines.join('\n')}
}
local next = 0
local thread
other = 0
function setup(each) thread = each end
function request()
  local headers = { ['authorization'] = ${luaText(`Bearer ${token}`)}, ['content-type'] = 'application/json' }
  if #bodies == 0 then return wrk.format('GET') end
  next = next % #bodies + 1
  return wrk.format('POST', nil, headers, bodies[next])
end
function response(got) if got ~= ${status} then other = other + 1 end end
function done() print('answers of another status: ' .. thread:get('other')) end
`;
}

function luaText(text: string): string {
  const bytes = [...Buffer.from(text, 'utf8')];
  return `"${bytes.map((byte) => (byte < 32 || byte > 126 || byte === 34 || byte === 92 ? `\\${String(byte).padStart(3, '0')}` : String.fromCharCode(byte))).join('')}"`;
}

const nodeLoad: Load = async ({ url, token, bodies }, { seconds, status }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const tookMs: number[] = [];
  const start = performance.now();
  let asked = 0;
  const lane = async () => {
    while (performance.now() - start < seconds * 1_000) {
      const began = performance.now();
      const got = await askOnce(url, token, bodies.length === 0 ? undefined : bodies[asked++ % bodies.length], agent);
      if (got.status !== status) throw new Error(`${url} answered ${got.status}: ${got.body.slice(0, 300)}`);
      tookMs.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const elapsed = (performance.now() - start) / 1_000;
  agent.destroy();
  tookMs.sort((a, b) => a - b);
  const share = (part: number) => tookMs[Math.min(tookMs.length - 1, Math.floor(tookMs.length * part))] ?? Number.NaN;
  return { perSecond: tookMs.length / elapsed, p50Ms: share(0.5), p99Ms: share(0.99) };
};

export function askOnce(
  url: string,
  token: string,
  body: string | undefined,
  agent: Agent,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.once('error', reject).end(body);
  });
}
