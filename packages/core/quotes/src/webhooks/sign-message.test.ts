import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signed, signedText } from './sign-message.ts';
import { createSignedPost } from './signed-post.ts';

const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
const keys = fc.uint8Array({ minLength: 24, maxLength: 64 });

describe('a signed message', () => {
  it('has the signatures of the library of Standard Webhooks, which accepts each', () => {
    const message = fc.tuple(fc.uuid(), fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 })));
    fc.assert(
      fc.property(message, fc.array(keys, { minLength: 1, maxLength: 3 }), ([id, body], some) => {
        const at = new Date();
        const secrets = some.map(secretOf);
        const sent = signed(id, body, secrets, at);
        const expected = secrets.map((secret) => new Webhook(secret).sign(id, at, sent.body));
        expect(sent.headers['webhook-signature']).toBe(expected.join(' '));
        for (const secret of secrets)
          expect(new Webhook(secret).verify(sent.body, sent.headers)).toEqual(JSON.parse(sent.body));
        const other = new Webhook(secretOf(new Uint8Array(32)));
        expect(() => other.verify(sent.body, sent.headers)).toThrow('No matching signature');
      }),
      { numRuns: 40 },
    );
  });

  it('may be signed with a secret without its prefix and padding', () => {
    const secret = secretOf(new Uint8Array(32).fill(7));
    const at = new Date(1_614_265_330_000);
    const [plain, bare] = [secret, secret.slice('whsec_'.length, -1)].map((each) => signedText('a', '{}', [each], at));
    expect(bare).toEqual(plain);
  });

  it.each(['', 'whsec_'])('is not signed with the empty secret %j', async (secret) => {
    expect(() => signed('a', {}, [secret], new Date())).toThrow('is empty');
    const post = createSignedPost({ allowPrivate: true });
    const answer = await post(
      'http://127.0.0.1:9/',
      { id: 'a', body: {}, secrets: [secret] },
      AbortSignal.timeout(1000),
    );
    expect(answer).toMatchObject({ ok: false, status: undefined, reason: expect.stringContaining('secret_empty') });
    post.close();
  });
});
