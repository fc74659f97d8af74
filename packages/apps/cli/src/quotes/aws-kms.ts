import type { KeyContext, KeyService } from '@leeward/quotes';
import { AwsClient } from 'aws4fetch';

/** A symmetric key of AWS KMS, and who uses it. */
export interface AwsKmsSettings {
  /** An ARN, an id, or an alias such as `alias/leeward`. */
  readonly keyId: string;
  readonly region: string;
  /** For VPC endpoints. @default that of the region */
  readonly endpoint?: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const TIMEOUT_MS = 3_000;
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;

/** KMS refused a call. The name is the code of the refusal, such as `AccessDeniedException`. */
class KmsRefusal extends Error {
  override readonly name: string;
  readonly canRetry: boolean;

  constructor(code: string, canRetry: boolean) {
    super(meanings[code] ?? 'AWS KMS refused the call.');
    this.name = code;
    this.canRetry = canRetry;
  }
}

const meanings: Readonly<Record<string, string>> = {
  AccessDeniedException: 'The credentials may not use this key: allow kms:Encrypt and kms:Decrypt.',
  DisabledException: 'The key is disabled.',
  IncorrectKeyException: 'The data key was encrypted under another key.',
  InvalidCiphertextException: 'The data key was changed, or belongs to another team.',
  KMSInvalidStateException: 'The key is not usable in its state, for example because its deletion is pending.',
  NotFoundException: 'The key does not exist in this region.',
  ThrottlingException: 'AWS KMS limits the rate of calls.',
};

const retried = new Set([
  'ThrottlingException',
  'LimitExceededException',
  'KMSInternalException',
  'DependencyTimeoutException',
]);

/** Wraps data keys with Encrypt and Decrypt of AWS KMS. The encryption context binds each to its team. */
export function createAwsKms(settings: AwsKmsSettings): KeyService {
  const { keyId, region, endpoint = `https://kms.${region}.amazonaws.com/` } = settings;
  const { accessKeyId, secretAccessKey, sessionToken } = settings;
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: 'kms' },
    ...(sessionToken !== undefined && { sessionToken }),
  });

  const send = async (action: 'Encrypt' | 'Decrypt', body: string, signal: AbortSignal) => {
    const request = await client.sign(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` },
      body,
    });
    const response = await fetch(request, { signal, redirect: 'error' });
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const code = textOf(answer, '__type').split('#').at(-1) || `Status${response.status}`;
    throw new KmsRefusal(
      /^\w{1,60}$/.test(code) ? code : 'UnknownException',
      retried.has(code) || response.status >= 500,
    );
  };
  const call = async (action: 'Encrypt' | 'Decrypt', input: object, { tenant }: KeyContext): Promise<unknown> => {
    const body = JSON.stringify({ KeyId: keyId, ...input, EncryptionContext: { 'leeward:team': tenant } });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(action, body, signal);
      } catch (error) {
        const canRetry = error instanceof KmsRefusal ? error.canRetry : !signal.aborted;
        if (!canRetry || attempt === MAX_ATTEMPTS) throw error;
        // Doubles, with a random half, so that processes do not repeat together.
        const pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  };
  return {
    id: keyId,
    async wrap(dataKey, context) {
      const answer = await call('Encrypt', { Plaintext: Buffer.from(dataKey).toString('base64') }, context);
      return required(textOf(answer, 'CiphertextBlob'));
    },
    async unwrap(wrapped, context) {
      const answer = await call('Decrypt', { CiphertextBlob: wrapped }, context);
      return Buffer.from(required(textOf(answer, 'Plaintext')), 'base64');
    },
  };
}

function textOf(answer: unknown, field: string): string {
  const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, field) : undefined;
  return typeof value === 'string' ? value : '';
}

function required(text: string): string {
  if (text === '') throw new Error('AWS KMS answered without a key.');
  return text;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `LEEWARD_KMS_KEY_ID` and the standard variables of AWS. undefined without a key id. Faults are added to the list. */
export function awsKmsSettings(environment: Environment, faults: string[]): AwsKmsSettings | undefined {
  const value = (name: string) => environment[name] || undefined;
  const keyId = value('LEEWARD_KMS_KEY_ID');
  const endpoint = value('LEEWARD_KMS_ENDPOINT');
  if (keyId === undefined) {
    const others = ['LEEWARD_KMS_REGION', 'LEEWARD_KMS_ENDPOINT'].filter((name) => value(name) !== undefined);
    if (others.length > 0) faults.push(`${others.join(' and ')} needs LEEWARD_KMS_KEY_ID, which is not set.`);
    return undefined;
  }
  if (!/^[\w:/-]{1,256}$/.test(keyId)) {
    faults.push(
      `LEEWARD_KMS_KEY_ID is ${JSON.stringify(keyId)}; give the ARN, the id or the alias (alias/leeward) of a key.`,
    );
  }
  const region =
    value('LEEWARD_KMS_REGION') ??
    /^arn:[\w-]+:kms:([\w-]+):/.exec(keyId)?.[1] ??
    value('AWS_REGION') ??
    value('AWS_DEFAULT_REGION') ??
    '';
  if (!/^[a-z0-9-]{1,32}$/.test(region)) {
    faults.push(
      'LEEWARD_KMS_KEY_ID needs a region: set LEEWARD_KMS_REGION, such as us-east-1, or give the ARN of the key.',
    );
  }
  if (endpoint !== undefined && !isAcceptable(endpoint)) {
    faults.push(
      'LEEWARD_KMS_ENDPOINT is not an https:// URL, such as https://vpce-0a1b.kms.us-east-1.vpce.amazonaws.com.',
    );
  }
  const [accessKeyId = '', secretAccessKey = ''] = [value('AWS_ACCESS_KEY_ID'), value('AWS_SECRET_ACCESS_KEY')];
  if (accessKeyId === '' || secretAccessKey === '') {
    faults.push('LEEWARD_KMS_KEY_ID needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  return { keyId, region, endpoint, accessKeyId, secretAccessKey, sessionToken: value('AWS_SESSION_TOKEN') };
}

/** `http:` only on this machine. */
function isAcceptable(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname));
}
