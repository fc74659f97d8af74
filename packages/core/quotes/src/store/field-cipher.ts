import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { JsonObject } from '@leeward/terms';
import type { KeyService } from '../ports/key-service.ts';

/** Keys that encrypt the data keys of teams. */
export interface FieldEncryption {
  readonly current: KeyEncryptionKey;
  /** Decrypt older data keys, and data from before data keys. @default none */
  readonly previous?: readonly KeyEncryptionKey[] | undefined;
}

/** A key at hand, or one in a key management service. */
export type KeyEncryptionKey = EncryptionKey | KeyService;

/** An AES-256 key and its name in stored data. */
export interface EncryptionKey {
  /** 1 to 32 letters, digits, hyphens or underscores. */
  readonly id: string;
  /** 32 bytes, or their base64. */
  readonly key: Uint8Array | string;
}

export interface FieldCipher {
  seal(teamId: string, content: JsonObject, boundTo: string): Promise<string>;
  /**
   * @throws {ErasedKeyError} if its data key was erased.
   * @throws {KeysUnavailableError} if the key management service does not answer.
   * @throws if no configured key decrypts the text, or it belongs to another row.
   */
  open(stored: string, boundTo: string): Promise<JsonObject>;
}

/** The data key was erased, and with it everything that it encrypted. */
export class ErasedKeyError extends Error {
  override readonly name = 'ErasedKeyError';
}

/** The key management service does not answer, or refuses. Try again later. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

export interface SecretKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The data keys of teams. */
export interface TeamKeys {
  /** The team's current key; creates the first. */
  current(teamId: string): Promise<SecretKey>;
  byId(id: string): Promise<SecretKey>;
}

// The ids of data keys begin with "@".
const envelope = /^aes-256-gcm\.(@?[\w-]{1,32})\.([\w-]{16})\.([\w-]{22,})$/;
const TAG_BYTES = 16;

/** AES-256-GCM with a fresh 96-bit nonce (NIST SP 800-38D). @param boundTo Authenticated: opening needs the same. */
export function sealUnder({ id, bytes }: SecretKey, content: JsonObject, boundTo: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `aes-256-gcm.${id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

export function openUnder({ bytes: key }: SecretKey, stored: string, boundTo: string): JsonObject {
  const [, , nonce = '', sealed = ''] = envelope.exec(stored) ?? [];
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url')).setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const text = decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  return JSON.parse(text) as JsonObject;
}

/** @throws {TypeError} for malformed keys. @returns the keys at hand by id, and the services. */
export function readKeys(encryption: FieldEncryption | undefined): {
  readonly local: ReadonlyMap<string, SecretKey>;
  readonly services: ReadonlyMap<string, KeyService>;
} {
  const local = new Map<string, SecretKey>();
  const services = new Map<string, KeyService>();
  for (const each of encryption === undefined ? [] : [encryption.current, ...(encryption.previous ?? [])]) {
    const { id } = each;
    if (local.has(id) || services.has(id)) throw new TypeError(`Two encryption keys have the id ${id}.`);
    if (!('key' in each)) {
      if (!/^[\x21-\x7e]{1,256}$/.test(id))
        throw new TypeError('The id of a key service is 1 to 256 ASCII characters.');
      services.set(id, each);
      continue;
    }
    if (!/^[\w-]{1,32}$/.test(id))
      throw new TypeError('The id of an encryption key is 1 to 32 letters, digits, - and _.');
    const bytes = typeof each.key === 'string' ? Buffer.from(each.key, 'base64') : each.key;
    if (bytes.length !== 32)
      throw new TypeError(`The encryption key ${id} has ${bytes.length} bytes; AES-256 needs 32.`);
    local.set(id, { id, bytes });
  }
  return { local, services };
}

/** Envelope encryption under the data keys of teams; plain JSON without keys. */
export function createFieldCipher(encryption: FieldEncryption | undefined, dataKeys: TeamKeys): FieldCipher {
  const { local } = readKeys(encryption);
  return {
    async seal(teamId, content, boundTo) {
      return encryption === undefined
        ? JSON.stringify(content)
        : sealUnder(await dataKeys.current(teamId), content, boundTo);
    },
    async open(stored, boundTo) {
      if (stored.startsWith('{')) return JSON.parse(stored) as JsonObject;
      const id = envelope.exec(stored)?.[1] ?? '';
      // Data from before data keys is encrypted under a configured key.
      const key = id.startsWith('@') ? await dataKeys.byId(id) : local.get(id);
      if (key === undefined) throw new Error(`The text was encrypted under the key "${id}", which is not configured.`);
      return openUnder(key, stored, boundTo);
    },
  };
}
