import type { Database } from '@leeward/database';
import { type ErasedQuote, type ErasedUnderKey, eraseUnderKey } from './erase-lost-key.ts';
import { createFieldCipher, type FieldEncryption } from './field-cipher.ts';
import { checkFieldKeys, type FieldKeyUse, readFieldKeyUse, resealFields } from './field-keys.ts';
import { createStoreContext } from './store-context.ts';
import { newSecret } from './webhooks.ts';

/** The keys that encrypt personal data of quotes. */
export interface FieldKeys {
  /** @throws {UnreadableFieldsError} if stored data needs another key. */
  check(): Promise<void>;
  /** Number of rows per key. Reads all quotes. */
  use(): Promise<readonly FieldKeyUse[]>;
  /**
   * Encrypts data of other keys, and plain text, under the current key while services run. Repeat an interrupted run:
   * it continues.
   *
   * @param onProgress Called with the number of rows so far.
   * @returns the number of rows encrypted again, and the number that could not be read.
   */
  reencrypt(onProgress?: (rows: number) => void): Promise<{ readonly rows: number; readonly unreadable: number }>;
  /**
   * Erases the data encrypted under a lost key; quotes are erased as usual. An interrupted run can be repeated.
   *
   * @param onErased Called with quotes as they are erased.
   * @throws {RangeError} if the key is configured.
   */
  erase(keyId: string, onErased?: (quotes: readonly ErasedQuote[]) => Promise<void>): Promise<ErasedUnderKey>;
}

/**
 * Opens the keys of a database of quotes.
 *
 * @example
 * await openFieldKeys({ database, encryption }).check();
 */
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
