import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { JsonObject } from '@leeward/terms';

/** Keys that encrypt stored `fields`. */
export interface FieldEncryption {
  readonly current: EncryptionKey;
  /** Decrypt older data. @default none */
  readonly previous?: readonly EncryptionKey[] | undefined;
}

/** An AES-256 key and its name in stored data. */
export interface EncryptionKey {
  /** 1 to 32 letters, digits, hyphens or underscores. */
  readonly id: string;
  /** 32 bytes, or their base64. */
  readonly key: Uint8Array | string;
}

export interface FieldCipher {
  seal(fields: JsonObject, quoteId: string): string;
  /** @throws if no configured key decrypts the text, or it belongs to another quote. */
  open(stored: string, quoteId: string): JsonObject;
  /** Undefined for plain text. */
  readonly currentKeyId: string | undefined;
  hasKey(id: string): boolean;
  sealUnder(id: string, fields: JsonObject, boundTo: string): string;
}

const envelope = /^aes-256-gcm\.([\w-]{1,32})\.([\w-]{16})\.([\w-]{22,})$/;
const TAG_BYTES = 16;

/** AES-256-GCM with a fresh 96-bit nonce (NIST SP 800-38D) and the quote's id as authenticated data; plain JSON without keys. */
export function createFieldCipher(encryption: FieldEncryption | undefined): FieldCipher {
  const keys = new Map<string, Uint8Array>();
  for (const { id, key } of encryption === undefined ? [] : [encryption.current, ...(encryption.previous ?? [])]) {
    if (!/^[\w-]{1,32}$/.test(id))
      throw new TypeError('The id of an encryption key is 1 to 32 letters, digits, - and _.');
    if (keys.has(id)) throw new TypeError(`Two encryption keys have the id ${id}.`);
    const bytes = typeof key === 'string' ? Buffer.from(key, 'base64') : key;
    if (bytes.length !== 32)
      throw new TypeError(`The encryption key ${id} has ${bytes.length} bytes; AES-256 needs 32.`);
    keys.set(id, bytes);
  }
  const sealUnder = (id: string, fields: JsonObject, boundTo: string): string => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keys.get(id)!, nonce).setAAD(Buffer.from(boundTo));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(fields), 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `aes-256-gcm.${id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  };
  return {
    currentKeyId: encryption?.current.id,
    hasKey: (id) => keys.has(id),
    sealUnder,
    seal(fields, quoteId) {
      return encryption === undefined ? JSON.stringify(fields) : sealUnder(encryption.current.id, fields, quoteId);
    },
    open(stored, quoteId) {
      if (stored.startsWith('{')) return JSON.parse(stored) as JsonObject;
      const [, id = '', nonce = '', sealed = ''] = envelope.exec(stored) ?? [];
      const key = keys.get(id);
      if (key === undefined)
        throw new Error(`The fields were encrypted under the key "${id}", which is not configured.`);
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url')).setAAD(
        Buffer.from(quoteId),
      );
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const text =
        decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      return JSON.parse(text) as JsonObject;
    },
  };
}
