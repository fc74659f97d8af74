import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CertificateKey, type VerifiedCertificate, verifyCertificate } from '@leeward/certificate/verify';
import { writeTime } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { callService, describeProblem } from '../sign-in/call-service.ts';
import { embeddedKeysPath, publicKeysOf, readKeyFile } from '../signing/certificate-keys.ts';
import { certificateSettings } from '../signing/certificate-settings.ts';
import type { Terminal } from '../terminal.ts';

export interface KeyOptions {
  readonly key?: string;
  readonly url?: string;
}

export interface VerifyOptions extends KeyOptions {
  readonly json?: boolean;
}

/** Verifies files. Ends with the exit code of the script: 1 if one was changed, 3 if one has another key. */
export async function verify(files: readonly string[], options: VerifyOptions, terminal: Terminal): Promise<void> {
  const contents = files.map((file) => readBytes(file, terminal));
  const keys = await publicKeys(options, terminal);
  const results = contents.map((bytes, index) => ({ file: files[index]!, ...resultOf(bytes, keys) }));
  if (options.json) {
    const list = results.map(({ file, certificate, message }) => ({
      file,
      verified: certificate !== undefined,
      ...(certificate
        ? {
            key_id: certificate.signature.key_id,
            issued_at: certificate.content['issued_at'],
            sha256: certificate.hashes.content,
          }
        : { message }),
    }));
    terminal.write(`${JSON.stringify(list, null, 2)}\n`);
  } else {
    for (const { file, certificate, message } of results) {
      if (certificate) terminal.write(`${file}: verified. ${describe(certificate)}\n`);
      else terminal.writeError(`${file}: not verified. ${message}\n`);
    }
  }
  const refused = results.filter(({ exitCode }) => exitCode !== 0);
  if (refused.length > 0) {
    const exitCode = refused.some((each) => each.exitCode === 1) ? 1 : 3;
    throw new CommandError(`${refused.length} of ${results.length} certificates are not verified.`, { exitCode });
  }
}

/** @throws {CommandError} if it is not verified */
export function verifiedFile(file: string, bytes: Uint8Array, keys: readonly CertificateKey[]): VerifiedCertificate {
  const { certificate, message, exitCode } = resultOf(bytes, keys);
  if (certificate) return certificate;
  throw new CommandError(`${file} is not verified. ${message}`, { exitCode: exitCode === 3 ? 3 : 1 });
}

function resultOf(bytes: Uint8Array, keys: readonly CertificateKey[]) {
  try {
    return { certificate: verifyCertificate(bytes, keys), message: '', exitCode: 0 };
  } catch (error) {
    const { exitCode } = error as { readonly exitCode?: number };
    return { certificate: undefined, message: (error as Error).message, exitCode: exitCode ?? 1 };
  }
}

function describe({ content, hashes, signature }: VerifiedCertificate): string {
  return `Issued ${writeTime(String(content['issued_at']))}, signed with the key ${signature.key_id}.\n  content SHA-256 ${hashes.content}`;
}

export function readBytes(file: string, terminal: Terminal): Uint8Array {
  try {
    return readFileSync(resolve(terminal.folder, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`;
    throw new CommandError(message, { exitCode: 2 });
  }
}

/** The keys of a file or service; by default those of the settings, then those of the data folder. */
export async function publicKeys({ key, url }: KeyOptions, terminal: Terminal): Promise<readonly CertificateKey[]> {
  if (key !== undefined && url !== undefined)
    throw new CommandError('--key and --url both name keys; leave one of them out.', { exitCode: 2 });
  if (key !== undefined) return publicKeysOf(readKeyFile(resolve(terminal.folder, key)), key);
  if (url !== undefined) {
    const answer = await callService(url.replace(/\/$/, ''), '/v1/certificate-keys');
    if (answer.status !== 200) throw new CommandError(describeProblem(url, answer));
    return publicKeysOf(JSON.stringify(answer.body), `${url}/v1/certificate-keys`);
  }
  const { certificateKey, certificateKeyFile, dataFolder } = certificateSettings(terminal);
  if (certificateKey !== undefined) return publicKeysOf(certificateKey, 'LEEWARD_CERTIFICATE_KEY');
  const path = certificateKeyFile ?? embeddedKeysPath(dataFolder);
  try {
    return publicKeysOf(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`No keys are here to verify with: name them with --key FILE, or a service with --url URL.`, {
      exitCode: 2,
    });
  }
}
