import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { nodeFlags } from './node-flags.ts';
import { workspace } from './running-leeward.ts';

/** An example that runs as its reader would start it. */
export interface ExampleHost {
  /** Base URL, without the prefix. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one of `examples/` as `examples/README.md` describes, and waits until it prints its address. */
export async function startExample(
  file: string,
  key: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ExampleHost> {
  const [host] = await startPrograms([file], 1, { LEEWARD_KEY: key, ...more });
  return host!;
}

/** Starts some of them in one process, one after the other: what they share is loaded once. */
export async function startExamples(files: readonly string[], key: string): Promise<ExampleHost[]> {
  const program = `const say = console.log;
for (const file of ${JSON.stringify(files)}) {
  const told = new Promise((resolve) => {
    console.log = (text) => resolve(say(text));
  });
  await import(\`./\${file}\`);
  await told;
}`;
  return startPrograms(['--input-type=module', '--eval', program], files.length, { LEEWARD_KEY: key });
}

/** Waits until a process in `examples/` has printed this many addresses. */
async function startPrograms(
  words: readonly string[],
  count: number,
  environment: Readonly<Record<string, string>>,
): Promise<ExampleHost[]> {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const child = spawn(process.execPath, [...nodeFlags, ...words], {
    cwd: join(workspace, 'examples'),
    env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const closed = once(child, 'close');
  const told = () => new Set(output.match(/http:\/\/127\.0\.0\.1:\d+(?=\D)/g));
  while (told().size < count) {
    const ended = await Promise.race([closed.then(() => true), once(child.stdout, 'data').then(() => false)]);
    if (ended && told().size < count) throw new Error(`${words.join(' ')} ended:\n${output}`);
  }
  const stop = async () => {
    child.kill();
    await closed;
  };
  return [...told()].map((url) => ({ url, stop }));
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Without a declared length. */
  readonly chunked?: true;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * Sends requests that `fetch` cannot: bodies of undeclared length, and bodies that the server does not read to the end.
 */
export function send(url: string, { method = 'POST', headers = {}, body, chunked }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const framing = chunked ? { 'transfer-encoding': 'chunked' } : length;
    const outgoing = request(url, { method, headers: { ...headers, ...framing }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
