import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { escaped } from '../html/escaped.ts';
import { stillPage } from '../html/still-page.ts';

/** Parameters that the provider sends the browser back with. */
export interface ProviderAnswer {
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly iss: string | undefined;
}

/** Text for the browser. */
export interface BrowserText {
  readonly title: string;
  readonly text: string;
}

export interface AnswerListener {
  readonly redirectUri: string;
  /** Resolves with the first answer that has the state, and a function that writes the browser's page. */
  readonly answer: Promise<{ readonly answer: ProviderAnswer; show(text: BrowserText): Promise<void> }>;
  stop(): void;
}

/** Listens on a free port of 127.0.0.1 for the answer of the provider. Answers with another state are refused, and change nothing. */
export async function listenForAnswer(state: string): Promise<AnswerListener> {
  const { promise, resolve } = Promise.withResolvers<Awaited<AnswerListener['answer']>>();
  let isTaken = false;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUri);
    const { searchParams } = url;
    // Another host name is a page that reaches this port by a forged address.
    if (
      request.headers.host !== new URL(redirectUri).host ||
      url.pathname !== '/callback' ||
      request.method !== 'GET'
    ) {
      return void write(response, 404, { title: 'Not found', text: 'This address has no page.' });
    }
    if (isTaken || !isEqual(searchParams.get('state') ?? '', state)) {
      const text = 'It was not started by this command, or was used already. Run leeward login again.';
      return void write(response, 400, { title: 'This sign-in was refused', text });
    }
    isTaken = true;
    const read = (name: string) => searchParams.get(name) ?? undefined;
    const answer = { code: read('code'), error: read('error'), iss: read('iss') };
    resolve({ answer, show: (text) => write(response, 200, text) });
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(0, '127.0.0.1', listening);
  });
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return {
    redirectUri,
    answer: promise,
    stop() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** Takes the same time for any text. */
function isEqual(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(first!, second!);
}

const style = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; color: light-dark(#1d2733, #e4e9ee); background: light-dark(#fff, #14191f) }
h1 { font-size: 1.4rem }`;

function write(response: ServerResponse, status: number, { title, text }: BrowserText): Promise<void> {
  const page = stillPage(`${title} – Leeward`, style, `<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>`);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    connection: 'close',
  });
  return new Promise((done) => {
    response.once('close', done);
    response.end(page);
  });
}
