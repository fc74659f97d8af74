import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { awsKmsSettings, createAwsKms } from './aws-kms.ts';
import { keepingSettings } from './keeping-settings.ts';

const secret = 'fake/secret+key';
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Signature Version 4, computed from the request as it arrived. */
function isSigned(request: IncomingMessage, body: string): boolean {
  const [, date, region, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDFAKE\/(\d{8})\/([\w-]+)\/kms\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (!['host', 'x-amz-date', 'x-amz-target'].every((name) => names.split(';').includes(name))) return false;
  const fields = names.split(';').map((name) => `${name}:${request.headers[name]}\n`);
  const canonical = ['POST', '/', '', fields.join(''), names, sha256(body)].join('\n');
  const scope = `${date}/${region}/kms/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date!, region!, 'kms', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex') === signature;
}

/** AES-256-GCM with the encryption context as associated data. */
async function fakeKms() {
  const key = randomBytes(32);
  const state = { calls: 0, refusals: [] as string[], isDisabled: false };
  const perform = (action: string, input: Record<string, string>, context: string) => {
    if (input['KeyId'] !== 'alias/leeward') return 'NotFoundException';
    if (state.isDisabled) return 'DisabledException';
    if (action === 'TrentService.Encrypt') {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = [nonce, cipher.update(input['Plaintext']!, 'base64'), cipher.final(), cipher.getAuthTag()];
      return { CiphertextBlob: Buffer.concat(sealed).toString('base64') };
    }
    const blob = Buffer.from(input['CiphertextBlob']!, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12)).setAAD(Buffer.from(context));
    decipher.setAuthTag(blob.subarray(-16));
    try {
      return {
        Plaintext: Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]).toString('base64'),
      };
    } catch {
      return 'InvalidCiphertextException';
    }
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    state.calls++;
    const { EncryptionContext: context, ...input } = JSON.parse(body);
    const outcome = !isSigned(request, body)
      ? 'InvalidSignatureException'
      : (state.refusals.shift() ?? perform(String(request.headers['x-amz-target']), input, JSON.stringify(context)));
    response.statusCode = typeof outcome === 'string' ? 400 : 200;
    response.end(JSON.stringify(typeof outcome === 'string' ? { __type: outcome, message: 'arn:secret' } : outcome));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const environment = {
    LEEWARD_KMS_KEY_ID: 'alias/leeward',
    LEEWARD_KMS_REGION: 'eu-west-1',
    LEEWARD_KMS_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    AWS_ACCESS_KEY_ID: 'AKIDFAKE',
    AWS_SECRET_ACCESS_KEY: secret,
  };
  const stop = () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections());
  const open = (more: Record<string, string> = {}) => createAwsKms(awsKmsSettings({ ...environment, ...more }, [])!);
  return { state, environment, open, stop, [Symbol.asyncDispose]: stop };
}

const dataKey = randomBytes(32);

it('wraps and unwraps with signed calls, for one team only', async () => {
  await using kms = await fakeKms();
  const service = kms.open();
  const wrapped = await service.wrap(dataKey, { tenant: 'team-1' });
  expect(Buffer.from(await kms.open().unwrap(wrapped, { tenant: 'team-1' }))).toEqual(dataKey);
  await expect(service.unwrap(wrapped, { tenant: 'team-2' })).rejects.toThrow('belongs to another team');
});

it('names refusals, without the text of the answer, and does not repeat them', async () => {
  await using kms = await fakeKms();
  const { state } = kms;
  state.isDisabled = true;
  const refusal = async (more: Record<string, string> = {}) => {
    const error = await kms
      .open(more)
      .wrap(dataKey, { tenant: 'team-1' })
      .catch((thrown: Error) => thrown);
    expect(String((error as Error).message)).not.toContain('arn:');
    return (error as Error).name;
  };
  expect(await refusal()).toBe('DisabledException');
  expect(await refusal({ LEEWARD_KMS_KEY_ID: 'alias/other' })).toBe('NotFoundException');
  expect(await refusal({ AWS_SECRET_ACCESS_KEY: 'another' })).toBe('InvalidSignatureException');
  state.refusals.push('AccessDeniedException');
  expect(await refusal()).toBe('AccessDeniedException');
  expect(state.calls).toBe(4);
});

it('repeats throttled calls, a few times', async () => {
  await using kms = await fakeKms();
  kms.state.refusals.push('ThrottlingException', 'ThrottlingException');
  await kms.open().wrap(dataKey, { tenant: 'team-1' });
  expect(kms.state.calls).toBe(3);
  kms.state.refusals.push(...Array<string>(9).fill('ThrottlingException'));
  await expect(kms.open().wrap(dataKey, { tenant: 'team-1' })).rejects.toThrow('limits the rate');
  expect(kms.state.calls).toBe(7);
});

it('fails if KMS is down', async () => {
  const kms = await fakeKms();
  await kms.stop();
  await expect(kms.open().wrap(dataKey, { tenant: 'team-1' })).rejects.toThrow();
});

it('is the current key if configured, and keys of the environment are previous ones', async () => {
  const kms = await fakeKms();
  await kms.stop();
  const local = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
  const { encryption } = keepingSettings({ ...kms.environment, LEEWARD_FIELDS_KEY: local });
  expect([encryption?.current.id, encryption?.previous?.map(({ id }) => id)]).toEqual(['alias/leeward', ['k1']]);
});

it('names every fault of its settings', () => {
  const faults: string[] = [];
  awsKmsSettings({ LEEWARD_KMS_KEY_ID: 'a key', LEEWARD_KMS_ENDPOINT: 'http://kms.example.com' }, faults);
  expect(faults.map((fault) => fault.split(' ').slice(0, 4).join(' '))).toEqual([
    'LEEWARD_KMS_KEY_ID is "a key";',
    'LEEWARD_KMS_KEY_ID needs a region:',
    'LEEWARD_KMS_ENDPOINT is not an',
    'LEEWARD_KMS_KEY_ID needs credentials: set',
  ]);
  awsKmsSettings({ LEEWARD_KMS_REGION: 'us-east-1' }, faults);
  expect(faults.at(-1)).toContain('LEEWARD_KMS_REGION needs LEEWARD_KMS_KEY_ID');
});

it('takes over the data keys of the environment key, which can go afterwards', async () => {
  await using kms = await fakeKms();
  using folder = temporaryFolder();
  const local = { LEEWARD_FIELDS_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
  const run = async (words: string, more: Record<string, string>) => {
    const environment = { LEEWARD_DATA_DIR: folder.path, ...more };
    return runWords(words.split(' '), { environment, folder: folder.path });
  };
  const json = async (words: string, more: Record<string, string> = {}) => {
    const { output, errors } = await run(`${words} --json`, more);
    expect(output, errors).toMatch(/^\{/);
    return JSON.parse(output);
  };
  const { organization_id } = await json('organization create Suncoast');
  const { team_id } = await json(`team create Personal --organization ${organization_id}`);
  await json(`webhook add https://example.com/hook --team ${team_id}`, local);
  expect(await json('keys re-encrypt', { ...local, ...kms.environment })).toEqual({ keys: 1, rows: 0, unreadable: 0 });
  expect(await json('keys status', kms.environment)).toMatchObject({
    current_key_id: 'alias/leeward',
    uses: [{ key_id: 'alias/leeward', kind: 'envelope', rows: 1, readable: true }],
  });
  expect(await run('keys status', local)).toMatchObject({ code: 1, errors: expect.stringContaining('alias/leeward') });
});
