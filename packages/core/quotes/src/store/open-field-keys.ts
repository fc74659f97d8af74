import type { Database } from '@leeward/database';
import { type ErasedQuote, type ErasedUnderKey, eraseUnderKey } from './erase-lost-key.ts';
import { createFieldCipher, type FieldEncryption } from './field-cipher.ts';
import { checkFieldKeys, type FieldKeyUse, readFieldKeyUse, resealFields } from './field-keys.ts';
import { createStoreContext } from './store-context.ts';
import { newSecret } from './webhook-secrets.ts';

/** The keys that encrypt personal data of quotes. */
export interface FieldKeys {
  /** @throws {UnreadableFieldsError} if stored data needs another key. */
  check(): Promise<void>;
  /** Rows per key. Reads all quotes. */
  use(): Promise<readonly FieldKeyUse[]>;
  /**
   * Encrypts other data, also plain text, under the current key while services run. An interrupted run can be repeated. @param
   * onProgress Rows so far. @returns rows encrypted again and rows that could not be read.
   */
  reencrypt(onProgress?: (rows: number) => void): Promise<{ readonly rows: number; readonly unreadable: number }>;
  /**
   * Erases data under a lost key. An interrupted run can be repeated. @param onErased Called with erased quotes. @throws {RangeError} if
   * the key is configured.
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
  const context = createStoreContext({ database, clock: undefined, cipher });
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
