import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { downloadFile } from './download-file.ts';

const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 251));
const sha256 = createHash('sha256').update(content).digest('hex');

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;
let close: (() => void) | undefined;
afterEach(() => close?.());

async function serve(handler: Handler): Promise<string> {
  let count = 0;
  const server = createServer((request, response) => handler(request, response, count++));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A file server with ranges and strong entity tags. */
function sendRange(request: IncomingMessage, response: ServerResponse, body: Buffer, etag: string): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from === 0 || request.headers['if-range'] !== etag) {
    response.writeHead(200, { etag, 'content-length': body.length }).end(body);
  } else if (from >= body.length) {
    response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
  } else {
    const rest = body.subarray(from);
    const range = `bytes ${from}-${body.length - 1}/${body.length}`;
    response.writeHead(206, { etag, 'content-range': range, 'content-length': rest.length }).end(rest);
  }
}

/** Sends a part of the promised bytes and closes the connection. */
function cut(response: ServerResponse, after: number, path: string, etag = '"1"'): void {
  response.writeHead(200, { etag, 'content-length': content.length });
  response.write(content.subarray(0, after));
  // A slow client loses unread bytes when the connection closes.
  const watch = setInterval(() => {
    if (!existsSync(`${path}.part`) || statSync(`${path}.part`).size < after) return;
    clearInterval(watch);
    response.socket?.destroy();
  }, 5);
}

const quick = { pausesMs: [0, 0, 0] };

describe('a download', () => {
  it('is written completely, with its hash, and leaves no partial file', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    const base = await serve((request, response) => sendRange(request, response, content, '"1"'));
    const got = await downloadFile({ url: `${base}/a.zip`, path, sha256: sha256.toUpperCase() });
    expect(got).toEqual({ bytes: content.length, sha256, resumedAt: 0, etag: '"1"' });
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(existsSync(`${path}.part`) || existsSync(`${path}.part.json`)).toBe(false);
  });

  it('resumes after an interruption, and requests only the remaining bytes', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    const ranges: (string | undefined)[] = [];
    const base = await serve((request, response, count) => {
      ranges.push(request.headers.range);
      if (count === 0) cut(response, 70_000, path);
      else sendRange(request, response, content, '"1"');
    });
    expect(await downloadFile({ url: `${base}/a.zip`, path, ...quick })).toMatchObject({ sha256 });
    expect(ranges[0]).toBeUndefined();
    expect(Number(/\d+/.exec(ranges[1]!)![0])).toBeGreaterThan(0);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('resumes in a later run, and reports the bytes already stored', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    let isWhole = false;
    const base = await serve((request, response) => {
      if (isWhole) sendRange(request, response, content, '"1"');
      else cut(response, 50_000, path);
    });
    const url = `${base}/a.zip`;
    await expect(downloadFile({ url, path, pausesMs: [] })).rejects.toThrow('goes on from there');
    expect(existsSync(path)).toBe(false);
    isWhole = true;
    const { resumedAt } = await downloadFile({ url, path });
    expect(resumedAt).toBeGreaterThan(0);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('restarts if the file on the server has changed', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    const other = Buffer.from(content).reverse();
    const base = await serve((request, response, count) => {
      if (count === 0) cut(response, 70_000, path);
      else sendRange(request, response, other, '"2"');
    });
    await downloadFile({ url: `${base}/a.zip`, path, ...quick });
    expect(readFileSync(path).equals(other)).toBe(true);
  });

  it('joins parts only with an entity tag or a date', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    const ranges: (string | undefined)[] = [];
    const base = await serve((request, response, count) => {
      ranges.push(request.headers.range);
      if (count === 0) cut(response, 70_000, path, 'W/"weak"');
      else response.writeHead(200, { 'content-length': content.length }).end(content);
    });
    await downloadFile({ url: `${base}/a.zip`, path, ...quick });
    expect(ranges).toEqual([undefined, undefined]);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('keeps a part that is complete, and discards an invalid one', async () => {
    using folder = temporaryFolder();
    const base = await serve((request, response) => sendRange(request, response, content, '"1"'));
    const url = `${base}/a.zip`;
    for (const [name, part] of [
      ['whole', content],
      ['long', Buffer.concat([content, content])],
    ] as const) {
      const path = join(folder.path, name);
      writeFileSync(`${path}.part`, part);
      writeFileSync(`${path}.part.json`, JSON.stringify({ url, etag: '"1"' }));
      expect(await downloadFile({ url, path, ...quick })).toMatchObject({ sha256 });
    }
  });

  it('is discarded if its hash differs', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    const base = await serve((request, response) => sendRange(request, response, content, '"1"'));
    const attempt = downloadFile({ url: `${base}/a.zip`, path, sha256: '0'.repeat(64) });
    await expect(attempt).rejects.toThrow(`its SHA-256 is ${sha256}, not 000`);
    expect(existsSync(path) || existsSync(`${path}.part`)).toBe(false);
  });

  it('follows a limited number of redirects, within http', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    const base = await serve((request, response) => {
      const location = { '/a': '/b', '/b': '/file', '/loop': '/loop', '/out': 'file:///etc/passwd' }[request.url ?? ''];
      if (location === undefined) sendRange(request, response, content, '"1"');
      else response.writeHead(302, { location }).end();
    });
    expect(await downloadFile({ url: `${base}/a`, path })).toMatchObject({ sha256 });
    await expect(downloadFile({ url: `${base}/loop`, path })).rejects.toThrow('more than 5 times');
    await expect(downloadFile({ url: `${base}/out`, path })).rejects.toThrow('which is not followed');
  });

  it('reports a refusal of the server, without a retry if it is permanent', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    let asked = 0;
    const base = await serve((request, response) => {
      asked += 1;
      response.writeHead(request.url === '/busy' && asked > 2 ? 200 : request.url === '/busy' ? 503 : 404).end('x');
    });
    await expect(downloadFile({ url: `${base}/none`, path, ...quick })).rejects.toMatchObject({
      isMissing: true,
      message: expect.stringContaining('there is no such file (404)'),
    });
    expect(asked).toBe(1);
    asked = 0;
    expect(await downloadFile({ url: `${base}/busy`, path, ...quick })).toMatchObject({ bytes: 1 });
    expect(asked).toBe(3);
  });

  it('says that there is no network, and the way out', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.zip');
    const base = await serve(() => undefined);
    close?.();
    const attempt = downloadFile({ url: `${base}/a.zip`, path, ...quick });
    await expect(attempt).rejects.toThrow('cannot be reached (ECONNREFUSED). coast fetch needs a network');
    const nowhere = downloadFile({ url: 'http://no-such-host.invalid/a.zip', path, ...quick });
    await expect(nowhere).rejects.toThrow(/no-such-host.invalid cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)/);
  });
});
