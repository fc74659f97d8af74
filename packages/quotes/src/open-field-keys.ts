import type { Database } from '@leeward/database';
import { createFieldCipher, type FieldEncryption } from './store/field-cipher.ts';
import { checkFieldKeys, type FieldKeyUse, readFieldKeyUse, resealFields } from './store/field-keys.ts';
import { createStoreContext } from './store/store-context.ts';

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
  };
}
