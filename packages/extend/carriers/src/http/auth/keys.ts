import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { CarrierFault } from '@leeward/quotes';
import type { Fault } from '@leeward/terms';
import type { ClientCredentialsFile, HttpCarrierFile } from '../schema.ts';
import { fillSecrets, type Secrets, secretFaults } from '../secrets.ts';

/** Reads PEM from a file, or from a variable with `\n` for line breaks. */
export function readPem(text: string, secrets: Secrets): string {
  return fillSecrets(text, secrets).replaceAll('\\n', '\n');
}

/** @throws {CarrierFault} without details of the key. */
export function readKey(text: string, secrets: Secrets, passphrase?: string): KeyObject {
  try {
    return createPrivateKey({ key: readPem(text, secrets), ...(passphrase !== undefined && { passphrase }) });
  } catch {
    // Without the cause: it might quote the key.
    throw new CarrierFault('The private key of the carrier cannot be read.', {
      kind: 'not_sent',
      code: 'unreadable_key',
    });
  }
}

/** Missing, unreadable, or of the wrong type. */
export function keyFaults({ auth, tls }: HttpCarrierFile, secrets: Secrets): Fault[] {
  const faults = tls === undefined ? [] : tlsFaults(tls, secrets);
  if (auth?.type !== 'oauth2_client_credentials') return faults;
  return [...faults, ...credentialFaults(auth, tls !== undefined, secrets)];
}

function credentialFaults(auth: ClientCredentialsFile, hasTls: boolean, secrets: Secrets): Fault[] {
  const { client_authentication: way = 'client_secret_basic', client_secret: secret, private_key: signing } = auth;
  const fault = (path: string, code: string, message: string): Fault[] => [{ path: `/auth${path}`, code, message }];
  switch (way) {
    case 'tls_client_auth':
      return hasTls ? [] : fault('/client_authentication', 'missing_certificate', `${way} requires "tls".`);
    case 'private_key_jwt': {
      const path = '/private_key/key';
      if (signing === undefined) return fault('/private_key', 'required', `${way} requires "private_key".`);
      const missing = secretFaults(signing.key, secrets, `/auth${path}`);
      if (missing.length > 0) return missing;
      const requirement =
        signing.algorithm === 'RS256' ? 'an RSA key of 2048 bits or more' : 'a key on the curve P-256';
      return isKeyFor(signing.algorithm, () => readKey(signing.key, secrets))
        ? []
        : fault(path, 'invalid_key', `${signing.algorithm} requires ${requirement}, as PEM without a passphrase.`);
    }
    default:
      return secret === undefined ? fault('/client_secret', 'required', `${way} requires "client_secret".`) : [];
  }
}

function isKeyFor(algorithm: 'RS256' | 'ES256', read: () => KeyObject): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = read();
    if (algorithm === 'ES256') return type === 'ec' && details?.namedCurve === 'prime256v1';
    return type === 'rsa' && (details?.modulusLength ?? 0) >= 2048;
  } catch {
    return false;
  }
}

function tlsFaults(tls: NonNullable<HttpCarrierFile['tls']>, secrets: Secrets): Fault[] {
  const missing = Object.entries(tls).flatMap(([key, value]) =>
    typeof value === 'string' && key !== '$comment' ? secretFaults(value, secrets, `/tls/${key}`) : [],
  );
  if (missing.length > 0) return missing;
  const fault = (key: string, code: string, message: string): Fault => ({ path: `/tls/${key}`, code, message });
  const certificate = readCertificate(readPem(tls.certificate, secrets));
  const faults: Fault[] = [];
  if (certificate === undefined) faults.push(fault('certificate', 'invalid_certificate', noCertificate));
  if (tls.ca !== undefined && readCertificate(readPem(tls.ca, secrets)) === undefined)
    faults.push(fault('ca', 'invalid_certificate', noCertificate));
  try {
    const key = readKey(
      tls.key,
      secrets,
      tls.passphrase === undefined ? undefined : fillSecrets(tls.passphrase, secrets),
    );
    if (certificate?.checkPrivateKey(key) === false)
      faults.push(fault('key', 'another_key', 'This key does not belong to the certificate.'));
  } catch {
    faults.push(fault('key', 'invalid_key', 'This is not a private key in PEM format, or the passphrase is wrong.'));
  }
  return faults;
}

const noCertificate = 'This is not a certificate in PEM format (-----BEGIN CERTIFICATE-----).';

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
