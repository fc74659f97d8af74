import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CertificateKey,
  CertificateKeyError,
  type CertificateSigner,
  createCertificateKey,
  createKeySigner,
  readCertificateKeys,
} from '@leeward/certificate/keys';
import { CommandError } from '../command-error.ts';
import { writeOwnerFile } from '../files/owner-file.ts';
import { makeFolder, nameDataFolder } from '../make-folder.ts';

/** The source of the key that signs certificates. */
export interface CertificateKeySettings {
  /** `LEEWARD_CERTIFICATE_KEY` */
  readonly certificateKey: string | undefined;
  /** `LEEWARD_CERTIFICATE_KEY_FILE`, an absolute path. */
  readonly certificateKeyFile: string | undefined;
  readonly dataFolder: string;
  readonly databaseUrl: string;
}

/** Keys of the data folder, for one process or several on one machine. */
export function embeddedKeysPath(dataFolder: string): string {
  return join(dataFolder, 'certificate-keys.json');
}

/** The signer, or the reason for which certificates are off. */
export type OpenSigner = { readonly signer: CertificateSigner } | { readonly missing: string };

/**
 * The signer of a service. Without a setting, its key is made once in the data folder.
 *
 * @throws {CommandError} if the key cannot be read
 */
export function openSigner(settings: CertificateKeySettings): OpenSigner {
  const { certificateKey, certificateKeyFile, dataFolder, databaseUrl } = settings;
  if (certificateKey !== undefined) return { signer: signerOf(certificateKey, 'LEEWARD_CERTIFICATE_KEY') };
  if (certificateKeyFile !== undefined)
    return { signer: signerOf(readKeyFile(certificateKeyFile), certificateKeyFile) };
  const path = embeddedKeysPath(dataFolder);
  if (/^postgres/.test(databaseUrl)) {
    return {
      missing: `Certificates are off: with PostgreSQL there can be several processes, which must sign with the same key. Make one with leeward certificate keys --new, and give it to every process as LEEWARD_CERTIFICATE_KEY or in the file LEEWARD_CERTIFICATE_KEY_FILE.`,
    };
  }
  makeEmbeddedKeys(dataFolder);
  return { signer: signerOf(readKeyFile(path), path) };
}

/** @throws {CommandError} */
export function signerOf(text: string, name: string): CertificateSigner {
  return naming(name, () => createKeySigner(readCertificateKeys(text)));
}

/** Public keys of a text; private ones lose their private part. @throws {CommandError} */
export function publicKeysOf(text: string, name: string): readonly CertificateKey[] {
  return naming(name, () => readCertificateKeys(text)).map(({ kty, crv, x, kid }) => ({
    kty,
    crv,
    x,
    ...(kid ? { kid } : {}),
  }));
}

function naming<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CertificateKeyError)) throw error;
    throw new CommandError(`${name} cannot be used as a key of certificates. ${error.message}`, { exitCode: 2 });
  }
}

/** @throws {CommandError} */
export function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The key file ${path} cannot be read (${code}). All processes need the same key.`, {
      exitCode: 2,
    });
  }
}

/** Several processes may start at once: the first one makes the file, whole. */
function makeEmbeddedKeys(dataFolder: string): void {
  const path = embeddedKeysPath(dataFolder);
  if (existsSync(path)) return;
  makeFolder(dataFolder, nameDataFolder);
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${JSON.stringify({ keys: [createCertificateKey()] }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(own, 0o600);
  try {
    linkSync(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Puts a new key before the others, which keep only their public part. */
export function rotateEmbeddedKeys(dataFolder: string): CertificateSigner {
  makeEmbeddedKeys(dataFolder);
  const path = embeddedKeysPath(dataFolder);
  const keys = [createCertificateKey(), ...publicKeysOf(readKeyFile(path), path)];
  writeOwnerFile(path, { keys });
  return naming(path, () => createKeySigner(keys));
}
