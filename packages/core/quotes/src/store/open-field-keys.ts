import type { Database } from '@leeward/database';
import { type ErasedQuote, type ErasedUnderKey, eraseUnderKey } from './erase-lost-key.ts';
import { type FieldEncryption, readKeys } from './field-cipher.ts';
import { checkFieldKeys, type FieldKeyUse, type Reencrypted, readFieldKeyUse, resealFields } from './field-keys.ts';
import { createStoreContext } from './store-context.ts';
import { newSecret } from './webhook-secrets.ts';

/** The keys that encrypt personal data of quotes. */
export interface FieldKeys {
  /** @throws {UnreadableFieldsError} if stored data needs another key. */
  check(): Promise<void>;
  /** Rows per key. Reads all quotes. */
  use(): Promise<readonly FieldKeyUse[]>;
  /**
   * Encrypts data keys under the current key, and other data under the data key of its team: plain text, data from before data keys, and
   * data under retired ones. Services may run. An interrupted run can be repeated. @param onProgress Rows so far. @throws
   * {KeysUnavailableError}
   */
  reencrypt(onProgress?: (rows: number) => void): Promise<Reencrypted>;
  /** Gives a team a new data key; `reencrypt` moves its data to it. @returns false for a team without a data key. */
  rotate(teamId: string): Promise<boolean>;
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
  const { local, services } = readKeys(encryption);
  const context = createStoreContext({ database, clock: undefined, encryption });
  return {
    check: () => checkFieldKeys(context),
    use: () => readFieldKeyUse(context),
    reencrypt: (onProgress = () => {}) => resealFields(context, onProgress),
    rotate: (teamId) => context.dataKeys.rotate(teamId),
    async erase(keyId, onErased = async () => {}) {
      if (local.has(keyId) || services.has(keyId)) {
        throw new RangeError(
          `The key "${keyId}" is configured: nothing was erased. If it is another key than the lost one, give it a new id first.`,
        );
      }
      return eraseUnderKey(context, keyId, { newSecret, onErased });
    },
  };
}
