import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSignedPost } from '@leeward/quotes';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signedText } from '../packages/core/quotes/src/webhooks/sign-message.ts';
import { workspace } from '../test/support/running-leeward.ts';
import { type Case, holdTo } from './hold-to.ts';
import { openCorpus } from './open-corpus.ts';

const corpus = openCorpus('standard-webhooks');
const javascript = 'libraries/javascript/src/webhook.test.ts';
const read = (file: string) => readFileSync(join(corpus!.folder, file), 'utf8');

type Verify = (secret: string, headers: IncomingHttpHeaders, body: string) => boolean;

/** The function that `docs/webhooks.md` gives to receivers without a library. */
async function readDocumentedVerifier(): Promise<Verify> {
  const guide = readFileSync(join(workspace, 'docs/webhooks.md'), 'utf8');
  const [written] = /^function isSigned\([\s\S]*?^}$/m.exec(guide)!;
  const code = `import { createHmac, timingSafeEqual } from 'node:crypto';\nexport ${stripTypeScriptTypes(written)}`;
  const { isSigned } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { isSigned: Verify };
  return isSigned;
}

const theirs: Verify = (secret, headers, body) => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

/** The test of a library in which a message has a fixed time and a signature. */
function vectorIn(file: string) {
  const text = read(file);
  const at = text.search(/\b16\d{8}\b/);
  if (at < 0) return undefined;
  const test = text.slice(text.lastIndexOf('whsec_', at), at + 300);
  const first = (pattern: RegExp) => pattern.exec(test)![0];
  return {
    secret: first(/whsec_[\w+/]+/),
    id: first(/msg_\w{20,}/),
    at: new Date(Number(first(/\b16\d{8}\b/)) * 1000),
    body: first(/\{\\?"(test|email)[^}]+\}/).replaceAll('\\"', '"'),
    signature: first(/v1,[\w+/]{43}=/),
  };
}

interface Trial {
  readonly secret?: string;
  readonly body?: string;
  readonly ageSeconds?: number;
  /** Changes the header fields of a signed message. */
  change?(headers: Record<string, string | undefined>): void;
  readonly isValid: boolean;
}

const usualSecret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSignature = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
const without = (name: string): Trial => ({ change: (headers) => delete headers[name], isValid: false });
const withSignature = (signature: (valid: string) => string, isValid = false): Trial => ({
  change: (headers) => (headers['webhook-signature'] = signature(headers['webhook-signature']!)),
  isValid,
});

/** By the names of their tests. */
const trials: Readonly<Record<string, readonly Trial[]>> = {
  'missing id raises error': [without('webhook-id')],
  'missing timestamp raises error': [without('webhook-timestamp')],
  'invalid timestamp throws error': [{ change: (headers) => (headers['webhook-timestamp'] = 'hello'), isValid: false }],
  'missing signature raises error': [without('webhook-signature')],
  'invalid signature throws error': [withSignature(() => 'v1,dawfeoifkpqwoekfpqoekf')],
  'partial signature throws error': [withSignature((valid) => valid.slice(0, 8)), withSignature(() => 'v1,')],
  'valid signature is valid and returns valid json': [{ isValid: true }],
  'valid unbranded signature is valid and returns valid json': [{ isValid: true }],
  'old timestamp fails': [{ ageSeconds: 301, isValid: false }],
  'new timestamp fails': [{ ageSeconds: -302, isValid: false }],
  'multi sig payload is valid': [
    withSignature((valid) => `v1,${otherSignature} v2,${otherSignature} ${valid} v1,${otherSignature}`, true),
    withSignature((valid) => `v1,${otherSignature} ${valid.replace('v1,', 'v2,')}`),
    withSignature((valid) => valid.replace('v1,', '')),
  ],
  'verification works with and without signature prefix': [
    { secret: usualSecret, isValid: true },
    { secret: `whsec_${usualSecret}`, isValid: true },
  ],
  'empty payload returns undefined': [{ body: '', isValid: true }],
};

describe.skipIf(!corpus)('Standard Webhooks', () => {
  it('gives the signatures of the libraries', async () => {
    const vectors = globSync('libraries/*/**/*.{ts,py,go,php,rb,rs,cs,java}', { cwd: corpus!.folder })
      .sort()
      .flatMap((file) => {
        const vector = vectorIn(file);
        return vector === undefined ? [] : [{ file: file.replaceAll('\\', '/'), ...vector }];
      });
    expect(vectors.length).toBeGreaterThanOrEqual(8);
    const cases = vectors.map(
      ({ file, secret, id, at, body, signature }): Case => ({
        id: file,
        run() {
          const { headers } = signedText(id, body, [secret], at);
          const ours = headers['webhook-signature'];
          return ours === signature ? undefined : `is ${ours}, not ${signature}`;
        },
      }),
    );
    await holdTo('standard-webhooks', cases, corpus!);
  });

  it('is verified by the documented function as by the library', async () => {
    const verifiers = { documented: await readDocumentedVerifier(), library: theirs };
    const names = [...read(javascript).matchAll(/^test\("([^"]+)"/gm)].map(([, name]) => name!);
    const cases = names
      .filter((name) => !['empty key raises error', 'sign function works'].includes(name))
      .map(
        (name): Case => ({
          id: name,
          run() {
            const differences = trials[name]!.flatMap(
              ({ secret = usualSecret, body = '{"test": 2432232314}', ageSeconds = 0, change, isValid }) => {
                const { headers } = signedText(
                  'msg_p5jXN8AQM9LWM0D4loKWxJek',
                  body,
                  [secret],
                  new Date(Date.now() - ageSeconds * 1000),
                );
                change?.(headers);
                return Object.entries(verifiers).flatMap(([verifier, verify]) =>
                  verify(secret, headers, body) === isValid ? [] : [`the ${verifier} verifier returns ${!isValid}`],
                );
              },
            );
            return differences[0];
          },
        }),
      );
    await holdTo('standard-webhooks-verify', cases, corpus!);
  });

  it('refuses the empty secret in the documented function, and accepts one without padding', async () => {
    const verify = await readDocumentedVerifier();
    const at = new Date();
    for (const secret of ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwBr']) {
      const { headers } = signedText('msg', '{}', [secret], at);
      expect([verify(secret, headers, '{}'), verify(`whsec_${secret}`, headers, '{}')]).toEqual([true, true]);
    }
    const { createHmac } = await import('node:crypto');
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const hmac = createHmac('sha256', '').update(`msg.${timestamp}.{}`).digest('base64');
    const forged = { 'webhook-id': 'msg', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${hmac}` };
    expect([verify('', forged, '{}'), verify('whsec_', forged, '{}')]).toEqual([false, false]);
  });

  it('is accepted over HTTP with each of several secrets', async () => {
    const verify = await readDocumentedVerifier();
    const secrets = [1, 2, 3].map((fill) => `whsec_${Buffer.alloc(24 + fill, fill).toString('base64')}`);
    const results: boolean[][] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const { headers } = request;
      results.push(secrets.map((secret) => verify(secret, headers, body) && theirs(secret, headers, body)));
      results.push(secrets.map((secret) => verify(secret, headers, `${body} `) || theirs(secret, headers, `${body} `)));
      response.writeHead(204).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const post = createSignedPost({ allowPrivate: true });
    const { port } = server.address() as AddressInfo;
    const message = {
      id: 'msg_1',
      body: { type: 'a.b', data: { text: 'é 💧 \u2028 "' } },
      secrets: secrets.slice(0, 2),
    };
    expect(await post(`http://127.0.0.1:${port}/`, message, AbortSignal.timeout(5000))).toEqual({
      ok: true,
      status: 204,
    });
    expect(results).toEqual([
      [true, true, false],
      [false, false, false],
    ]);
    post.close();
    server.close();
  });
});
