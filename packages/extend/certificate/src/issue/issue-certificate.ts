import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { keyIdOf, verifyCertificate } from '@leeward/certificate/verify';
import type { Coast, CoastAnswerFields } from '@leeward/coast';
import { type DrawnMap, makePicture } from '@leeward/coast-picture';
import { createTurn, nextTurn, type Turn } from '@leeward/engine/compiled';
import { type DecisionWithShores, type UnderwriteHomeOptions, unavailable, underwriteWithShores } from '@leeward/http';
import type { ZipGazetteer } from '@leeward/places/zips';
import { canonicalJson } from '@leeward/terms';
import type { Certificate, CertificateContent, DeclinationLetter } from '../content/certificate-schema.ts';
import { writeContent } from '../content/write-content.ts';
import type { CertificateKey, CertificateSigner } from '../keys/certificate-keys.ts';
import type { WriteLetters } from '../letter/write-letters.ts';
import { certificatePage, fillPage } from '../page/certificate-page.ts';

/** The data that maps are drawn from. */
export interface MapPorts {
  /** The coast that gave an answer; undefined: no map. */
  coastOf(answer: CoastAnswerFields): Coast | undefined;
  /** Towns to name. */
  readonly gazetteer: ZipGazetteer;
}

/** The decision to certify, who signs, and what the page states. */
export interface IssueOptions extends UnderwriteHomeOptions {
  readonly signer: CertificateSigner;
  /** Name of the service or agency. @default none */
  readonly issuer?: string | undefined;
  /** @default none */
  readonly preparedFor?: string | undefined;
  /** The caller's own number. @default none */
  readonly reference?: string | undefined;
  /** Adds letters of the carriers that declined. @default none */
  readonly writeLetters?: WriteLetters | undefined;
  /** @default no map */
  readonly map?: MapPorts | (() => Promise<MapPorts | undefined>) | undefined;
}

/** A certificate in its two forms. */
export interface IssuedCertificate {
  readonly certificate: Certificate;
  /** The canonical JSON, which must be kept byte by byte. */
  readonly json: string;
  /** The page, with the same JSON inside. */
  readonly page: string;
}

/**
 * Decides on a home and signs the answer. Only the answer of this call can be signed. Throws if the signature does not verify.
 *
 * @throws {Problem} `invalid_request` with all faults of the home, `unavailable` if the signer fails
 *
 * @example
 * const { json, page } = await issueCertificate(home, {
 *   decider: catalog,
 *   now: new Date(),
 *   traceId: crypto.randomUUID(),
 *   organizationId: null,
 *   signer: createKeySigner([createCertificateKey()]),
 * });
 */
export async function issueCertificate(home: unknown, options: IssueOptions): Promise<IssuedCertificate> {
  const { decider, now, signer, turn = createTurn(), issuer, preparedFor, reference, writeLetters } = options;
  const decided = await underwriteWithShores(withWholeAnswer(home), { ...options, turn });
  const [key] = signer.keys;
  const picture = await drawPicture(decided, options.map, turn);
  await nextTurn(turn);
  const stated = writeContent(
    decided,
    {
      certificateId: randomUUID(),
      issuedAt: now,
      issuer: issuer ?? null,
      preparedFor: preparedFor ?? null,
      reference: reference ?? null,
      picture: picture ? { sha256: sha256(picture.map.content), caption: picture.caption } : null,
    },
    { vocabulary: decider.vocabulary, hostFacts: new Set(Object.keys(decider.options.facts ?? {})) },
  );
  const letters = writeLetters?.(stated);
  const content = plainJson(letters ? { ...stated, letters: letters.map(plainLetter) } : stated);
  await nextTurn(turn);
  const contentSha256 = sha256(canonicalJson(content));
  const keyId = keyIdOf(key);
  const parts = certificatePage(content, { contentSha256, keyId, map: picture?.map });
  const document = {
    format: 'leeward-certificate/1',
    content,
    hashes: { content: contentSha256, page: sha256(parts.before + parts.after) },
    signature: { algorithm: 'Ed25519', key_id: keyId },
  } as const;
  const bytes = Buffer.from(canonicalJson(document));
  const signature = await signed(signer, key, bytes);
  const certificate = {
    ...document,
    signature: { ...document.signature, value: Buffer.from(signature).toString('base64url') },
  };
  const json = canonicalJson(certificate);
  const page = fillPage(parts, json);
  await nextTurn(turn);
  verifyCertificate(Buffer.from(page), [key]);
  return { certificate, json, page };
}

/** All carriers, each with its explanation. */
function withWholeAnswer(home: unknown): unknown {
  if (typeof home !== 'object' || home === null || Array.isArray(home)) return home;
  return { ...home, explain: true, include_declined: true, include_not_offered: true };
}

/** The signer may change its key at any time. */
async function signed(signer: CertificateSigner, key: CertificateKey, bytes: Uint8Array): Promise<Uint8Array> {
  let signature: Uint8Array;
  try {
    signature = await signer.sign(bytes);
  } catch (cause) {
    throw unavailable('The signer of certificates', cause);
  }
  if (signature.length === 64 && isSignatureOf(key, bytes, signature)) return signature;
  throw unavailable('The signer of certificates', new Error('Its signature is not of the first of its keys.'));
}

/** True if the signature is of the key. */
function isSignatureOf({ kty, crv, x }: CertificateKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  return verify(null, bytes, key, signature);
}

const MAP_SIZE = { width: 440, height: 320 };

/** The map to the first measured shore. */
async function drawPicture(
  { place, shores: [shore] }: DecisionWithShores,
  ports: IssueOptions['map'],
  turn: Turn,
): Promise<{ readonly map: DrawnMap; readonly caption: string[] } | undefined> {
  if (ports === undefined || place === undefined || shore === undefined) return undefined;
  const opened = typeof ports === 'function' ? await ports() : ports;
  const coast = opened?.coastOf(shore.answer);
  if (opened === undefined || coast === undefined) return undefined;
  const { answer } = shore;
  const [definition = ''] = answer.definition.layers;
  const { gazetteer } = opened;
  const picture = makePicture({ coast, answer, place, definition, gazetteer });
  return { map: await picture.mapInSlices(MAP_SIZE, turn), caption: [...picture.words.caption] };
}

/** As another program reads it: without undefined members, and with well-formed text. */
function plainJson(content: CertificateContent): CertificateContent {
  return JSON.parse(JSON.stringify(content), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as CertificateContent;
}

function plainLetter(letter: DeclinationLetter): DeclinationLetter {
  return { ...letter };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
