import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { type CertificateKey, keyIdOf } from '@leeward/certificate/verify';

export type { CertificateKey } from '@leeward/certificate/verify';

/** Signs certificates: a key of this process, or a key management service. */
export interface CertificateSigner {
  /** Public keys: the one that signs now, then earlier ones, so that their certificates still verify. */
  readonly keys: readonly [CertificateKey, ...CertificateKey[]];
  /** Ed25519 over the bytes with the first of `keys`, 64 bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** A private key as a JSON Web Key (RFC 8037). */
export interface PrivateCertificateKey extends CertificateKey {
  /** 32 bytes in base64url. Secret. */
  readonly d: string;
}

/** Keys of a file or setting that cannot be used. The message never repeats a key. */
export class CertificateKeyError extends Error {
  override readonly name = 'CertificateKeyError';
}

/**
 * Makes a new key.
 *
 * @example
 * const signer = createKeySigner([createCertificateKey()]);
 */
export function createCertificateKey(): PrivateCertificateKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const key = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...key, kid: keyIdOf(key), d };
}

/**
 * Signs with the first key, in this process. The others are listed, so that earlier certificates verify.
 *
 * @throws {CertificateKeyError} if the first key is not private
 *
 * @example
 * const signer = createKeySigner(readCertificateKeys(process.env.CERTIFICATE_KEYS));
 */
export function createKeySigner(keys: readonly (CertificateKey | PrivateCertificateKey)[]): CertificateSigner {
  const [first, ...earlier] = keys;
  if (first === undefined || !('d' in first)) {
    throw new CertificateKeyError('The first key signs, so it must be private: it has no member "d".');
  }
  const privateKey = createPrivateKey({ key: { ...first } as JsonWebKey, format: 'jwk' });
  return {
    keys: [publicKeyOf(first), ...earlier.map(publicKeyOf)],
    sign: async (bytes) => sign(null, bytes, privateKey),
  };
}

/** Without the private part. */
function publicKeyOf({ kty, crv, x }: CertificateKey): CertificateKey {
  return { kty, crv, x, kid: keyIdOf({ kty, crv, x }) };
}

/**
 * Reads keys: a JSON Web Key, a set of them (`{"keys": […]}`, the one that signs first), or a private key as PEM.
 *
 * @throws {CertificateKeyError}
 *
 * @example
 * const [current] = readCertificateKeys(readFileSync('keys.json', 'utf8'));
 */
export function readCertificateKeys(text: string): readonly (CertificateKey | PrivateCertificateKey)[] {
  if (text.trimStart().startsWith('-----BEGIN')) return [keyOfPem(text)];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CertificateKeyError('It is neither JSON (a JSON Web Key, or a set of them) nor PEM.');
  }
  const members = isRecord(value) && Array.isArray(value['keys']) ? (value['keys'] as unknown[]) : [value];
  if (members.length === 0) throw new CertificateKeyError('It has no key.');
  const keys = members.map(readKey);
  if (new Set(keys.map(keyIdOf)).size < keys.length) throw new CertificateKeyError('It has the same key twice.');
  return keys;
}

function readKey(value: unknown, index: number): CertificateKey | PrivateCertificateKey {
  const name = `Key ${index + 1}`;
  if (!isRecord(value) || value['kty'] !== 'OKP' || value['crv'] !== 'Ed25519') {
    throw new CertificateKeyError(`${name} is not an Ed25519 key: give "kty": "OKP" and "crv": "Ed25519".`);
  }
  const { x, d } = value;
  for (const [member, part] of [['x', x], ...(d === undefined ? [] : [['d', d]])] as const) {
    if (typeof part !== 'string' || !/^[\w-]{43}$/.test(part))
      throw new CertificateKeyError(`${name}: "${String(member)}" must be 32 bytes in base64url.`);
  }
  const key = { kty: 'OKP', crv: 'Ed25519', x: x as string } as const;
  if (d === undefined) return publicKeyOf(key);
  const pair = { ...publicKeyOf(key), d: d as string };
  const secret = createPrivateKey({ key: { ...pair } as JsonWebKey, format: 'jwk' });
  if (createPublicKey(secret).export({ format: 'jwk' }).x !== key.x)
    throw new CertificateKeyError(`${name}: "x" and "d" are not of the same key.`);
  return pair;
}

function keyOfPem(text: string): PrivateCertificateKey {
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new CertificateKeyError('The PEM cannot be read: give a private key in PKCS #8, unencrypted.');
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new CertificateKeyError(`The PEM has a key of the kind ${key.asymmetricKeyType}; give an Ed25519 key.`);
  const { x = '', d = '' } = key.export({ format: 'jwk' });
  return { ...publicKeyOf({ kty: 'OKP', crv: 'Ed25519', x }), d };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
