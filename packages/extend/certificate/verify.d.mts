/** A public key of certificates, as a JSON Web Key (RFC 8037). */
export interface CertificateKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** 32 bytes in base64url. */
  readonly x: string;
  /** The thumbprint of the key (RFC 7638). */
  readonly kid?: string;
}

/** The parts of a certificate that verification reads. */
export interface VerifiedCertificate {
  readonly format: 'leeward-certificate/1';
  readonly content: Readonly<Record<string, unknown>>;
  readonly hashes: { readonly content: string; readonly page: string };
  readonly signature: { readonly algorithm: string; readonly key_id: string; readonly value: string };
}

/**
 * Writes JSON in its canonical form (RFC 8785).
 *
 * @example
 * canonical({ b: 1, a: [true] }); // '{"a":[true],"b":1}'
 */
export function canonical(value: unknown): string;

/**
 * The thumbprint of a key (RFC 7638).
 *
 * @example
 * keyIdOf({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' });
 */
export function keyIdOf(key: CertificateKey): string;

/**
 * Verifies a certificate: a file of JSON, or a page.
 *
 * @throws {Error} With `exitCode` 1 if it was changed, 3 if its key is not among the keys.
 *
 * @example
 * const { content } = verifyCertificate(readFileSync('home.html'), keys);
 */
export function verifyCertificate(bytes: Uint8Array, keys: readonly CertificateKey[]): VerifiedCertificate;
