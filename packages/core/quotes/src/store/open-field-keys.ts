import type { Database } from '@leeward/database';
import { type ErasedQuote, type ErasedUnderKey, eraseUnderKey } from './erase-lost-key.ts';
import { createFieldCipher, type FieldEncryption } from './field-cipher.ts';
import { checkFieldKeys, type FieldKeyUse, readFieldKeyUse, resealFields } from './field-keys.ts';
import { createStoreContext } from './store-context.ts';
import { newSecret } from './webhooks.ts';

/** The keys that personal data of quotes is encrypted under. */
export interface FieldKeys {
  /** @throws {UnreadableFieldsError} if stored data needs another key than those given. */
  check(): Promise<void>;
  /** How many rows need which key. Reads all quotes. */
  use(): Promise<readonly FieldKeyUse[]>;
  /**
   * Encrypts under the current key what is stored under another, or in plain text, while services run. A run that was stopped is
   * repeated: it goes on with what is left.
   *
   * @param onProgress Called with the number of rows so far.
   * @returns how many rows were encrypted again, and how many could not be read.
   */
  reencrypt(onProgress?: (rows: number) => void): Promise<{ readonly rows: number; readonly unreadable: number }>;
  /**
   * Erases the data encrypted under a lost key, quotes by the usual erasure. A run that was stopped can be repeated.
   *
   * @param onErased Called with quotes as they are erased.
   * @throws {RangeError} if the key is configured.
   */
  erase(keyId: string, onErased?: (quotes: readonly ErasedQuote[]) => Promise<void>): Promise<ErasedUnderKey>;
}

/** Opens the keys of a database that quotes are kept in. */
export function openFieldKeys(options: {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly encryption: FieldEncryption | undefined;
}): FieldKeys {
  const { database, encryption } = options;
  const cipher = createFieldCipher(encryption);
  const context = createStoreContext({ database, clock: undefined, cipher, redispatchMs: 0 });
  return {
    check: () => checkFieldKeys(context),
    use: () => readFieldKeyUse(context),
    reencrypt: (onProgress = () => {}) => resealFields(context, onProgress),
    async erase(keyId, onErased = async () => {}) {
      if (cipher.hasKey(keyId)) {
        throw new RangeError(
          `The key "${keyId}" is configured: nothing was erased. If it is another key than the lost one, give it a new id first.`,
        );
      }
      return eraseUnderKey(context, keyId, { newSecret, onErased });
    },
  };
}
