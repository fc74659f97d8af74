import { randomBytes } from 'node:crypto';
import {
  type FieldEncryption,
  KeysUnavailableError,
  openUnder,
  readKeys,
  type SecretKey,
  sealUnder,
} from './field-cipher.ts';
import type { DataKeyRow } from './tables.ts';

/** A data key that is not erased. */
export type LiveRow = DataKeyRow & { readonly wrapped: string };

/** Wraps data keys: under a key at hand, or by a key management service, whose calls are bounded in time. */
export interface KeyEncryption {
  readonly currentId: string;
  /** Under the current key. @throws {KeysUnavailableError} */
  wrap(key: SecretKey, tenant: string): Promise<string>;
  /** @throws {KeysUnavailableError} if the service does not answer. @throws if the key is not configured, or another one. */
  unwrap(row: LiveRow): Promise<Uint8Array>;
  /** Resolves once the current key service has answered. */
  probe(): Promise<void>;
}

/** Time for which a failure is remembered, and after a timeout no service is called. */
export const RETRY_MS = 2000;
/** Limit of one call to a key service. */
const SERVICE_TIMEOUT_MS = 3000;
/** Id that stands for no encryption. */
const PLAIN = '';

export function createKeyEncryption(encryption: FieldEncryption | undefined, monotonicMs: () => number): KeyEncryption {
  const { local, services } = readKeys(encryption);
  const currentId = encryption?.current.id ?? PLAIN;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let probed: Promise<void> | undefined;

  const bounded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (monotonicMs() < pausedUntil) throw new KeysUnavailableError('The key service did not answer in time.');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        pausedUntil = monotonicMs() + RETRY_MS;
        reject(new Error(`no answer within ${SERVICE_TIMEOUT_MS} ms`));
      }, SERVICE_TIMEOUT_MS);
    });
    try {
      return await Promise.race([work(), timeout]);
    } catch (cause) {
      const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      throw new KeysUnavailableError(`The key service cannot be used now (${why}).`, { cause });
    } finally {
      clearTimeout(timer);
    }
  };
  const wrap = async ({ id, bytes }: SecretKey, tenant: string): Promise<string> => {
    const service = services.get(currentId);
    if (service !== undefined) return bounded(() => service.wrap(bytes, { tenant }));
    const content = { key: Buffer.from(bytes).toString('base64') };
    const kek = local.get(currentId);
    return kek === undefined ? JSON.stringify(content) : sealUnder(kek, content, boundTo(id, tenant));
  };
  const unwrap = async ({ id, team_id: tenant, key_id: kekId, wrapped }: LiveRow): Promise<Uint8Array> => {
    const service = services.get(kekId);
    if (service !== undefined) {
      const bytes = await bounded(() => service.unwrap(wrapped, { tenant }));
      if (bytes.length !== 32) throw new Error(`The key service returned ${bytes.length} bytes; AES-256 needs 32.`);
      return bytes;
    }
    const kek = local.get(kekId);
    if (kek === undefined && kekId !== PLAIN) {
      throw new Error(`The data key is encrypted under "${kekId}", which is not configured.`);
    }
    const content = kek === undefined ? JSON.parse(wrapped) : openUnder(kek, wrapped, boundTo(id, tenant));
    return Buffer.from(content.key, 'base64');
  };
  return {
    currentId,
    wrap,
    unwrap,
    probe() {
      probed ??= (async () => {
        if (services.has(currentId)) await wrap({ id: '@probe', bytes: randomBytes(32) }, 'probe');
      })().catch((error: unknown) => {
        probed = undefined;
        throw error;
      });
      return probed;
    },
  };
}

function boundTo(id: string, tenant: string): string {
  return `data key ${id} of ${tenant}`;
}
