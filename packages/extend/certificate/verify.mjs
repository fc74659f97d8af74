// Verifies certificates of Leeward offline, with Node alone:  node verify.mjs --key keys.json FILE…
// FILE is a certificate as JSON or as a page; keys.json is the answer of GET /v1/certificate-keys, or one key of it.
// Exit codes: 0 all are verified, 1 one was changed, 2 wrong use, 3 one is signed with a key that is not in keys.json.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';

const sha256 = (text, encoding = 'hex') => createHash('sha256').update(text).digest(encoding);

/** JSON by RFC 8785. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

/** The thumbprint of a key (RFC 7638). */
export const keyIdOf = ({ crv, kty, x }) => sha256(canonical({ crv, kty, x }), 'base64url');

/** Returns the certificate of a file, or throws an error whose `exitCode` is 1 or 3. */
export function verifyCertificate(bytes, keys) {
  const expect = (holds, message, exitCode = 1) => {
    if (!holds) throw Object.assign(new Error(message), { exitCode });
  };
  const text = Buffer.from(bytes).toString();
  const page = /^(.*?<pre id="leeward-certificate">)([^<]*)(<\/pre>.*)$/s.exec(text);
  let document;
  try {
    document = JSON.parse(page ? page[2].replaceAll('&lt;', '<').replaceAll('&amp;', '&') : text);
  } catch {} // Refused below.
  const { content, hashes, signature: { value, ...signature } = {} } = document ?? {};
  const isWhole = document?.format === 'leeward-certificate/1' && hashes && typeof value === 'string';
  expect(isWhole && Buffer.from(text).equals(bytes), 'This is not a certificate, or it was damaged.');
  const exact = page ? canonical(document).replaceAll('&', '&amp;').replaceAll('<', '&lt;') : canonical(document);
  expect((page ? page[2] : text.replace(/\n$/, '')) === exact, 'The data was changed or formatted anew.');
  const key = keys.find((each) => keyIdOf(each) === signature.key_id);
  expect(key, `It is signed with the key ${signature.key_id}, which is not among the given keys.`, 3);
  const bits = Buffer.from(value, 'base64url');
  const signed = Buffer.from(canonical({ ...document, signature }));
  const isSigned = verify(null, signed, createPublicKey({ key, format: 'jwk' }), bits);
  expect(isSigned && bits.toString('base64url') === value, 'The data was changed: its signature does not match.');
  expect(sha256(canonical(content)) === hashes.content, 'The hash of the content does not match.');
  expect(!page || sha256(page[1] + page[3]) === hashes.page, 'The page was changed; the data in it was not.');
  return document;
}

const isProgram = existsSync(process.argv[1] ?? '') && realpathSync(process.argv[1]) === import.meta.filename;
const [, , option, keyFile, ...files] = isProgram ? process.argv : [];
for (const file of isProgram && files.length === 0 ? ['verify.mjs'] : files) {
  try {
    if (option !== '--key' || files.length === 0) throw new Error('Use: node verify.mjs --key keys.json FILE…');
    const keys = [JSON.parse(readFileSync(keyFile, 'utf8'))].flatMap((each) => each.keys ?? each);
    const { content, signature } = verifyCertificate(readFileSync(file), keys);
    console.log(`${file}: verified. Issued ${content.issued_at}, signed with the key ${signature.key_id}.`);
  } catch (error) {
    console.error(`${file}: not verified. ${error.message}`);
    process.exitCode = error.exitCode ?? 2;
  }
}
