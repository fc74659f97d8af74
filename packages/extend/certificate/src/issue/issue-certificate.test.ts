import { generateKeyPairSync } from 'node:crypto';
import { loadZipGazetteer } from '@leeward/places/zips';
import { describe, expect, it } from 'vitest';
import {
  CertificateKeyError,
  createCertificateKey,
  createKeySigner,
  readCertificateKeys,
} from '../keys/certificate-keys.ts';
import { issueSample, sampleHome, sampleKey, sampleOptions, smallCoast } from '../testing/sample-home.ts';
import { issueCertificate } from './issue-certificate.ts';

const { certificate, page } = await issueSample();
const { content } = certificate;

describe('a certificate', () => {
  it('has the verdict of every carrier with rule, limit, value and source', () => {
    expect(content.verdicts.map(({ carrier_key, status }) => [carrier_key, status])).toEqual([
      ['heron', 'eligible'],
      ['quarry', 'needs_information'],
      ['bluestem', 'ineligible'],
    ]);
    const [heron, quarry, bluestem] = content.verdicts;
    expect(heron?.requirements).toEqual([{ code: 'x_survey', message: 'A roof inspection.', rule_id: 'survey' }]);
    expect(quarry?.missing).toEqual([{ field: 'total_claims', label: 'claims in five years' }]);
    expect(quarry?.decided_by[0]?.tests[0]?.source).toEqual({ kind: 'missing', text: 'not given' });
    const [roof, shore] = bluestem!.decided_by;
    expect(roof?.tests[0]).toMatchObject({
      limit: 15,
      limit_text: 'is more than 15 years',
      value: 22,
      value_text: '22 years',
      source: { kind: 'given', text: 'the request (inspection, 2026-05-01)', as_of: '2026-05-01' },
    });
    expect(shore?.tests[0]).toMatchObject({
      limit: 10,
      value_text: '3.06 to 3.19 miles',
      source: { kind: 'coastline', text: 'small, 1, from the point given' },
    });
    expect(bluestem?.would_change?.outcome).toBe('none_helps');
    expect(bluestem?.rule_set).toEqual({
      version: '2026.1.0',
      sha256: sampleOptions.decider.carriers[0]!.versions[0]!.ruleSet.sha256,
    });
  });

  it('has each distance with its shore, bearing, range and error', () => {
    const [tidal, ocean] = content.distances;
    expect(tidal).toMatchObject({
      to: 'tidal water',
      range_meters: { min: tidal!.meters - 100, max: tidal!.meters + 100 },
      shore: {
        name: 'Atlantic',
        compass_point: 'east',
        accuracy_meters: 100,
        dataset: { name: 'small', version: '1' },
      },
    });
    expect(tidal?.shore?.bearing_degrees).toBeCloseTo(90, 0);
    expect(tidal?.shore?.point.lng).toBeCloseTo(-80.1, 6);
    expect(ocean?.to).toBe('the open ocean');
  });

  it('gives a given distance as given, without a shore', async () => {
    const { certificate: other } = await issueCertificate(
      { state: 'fl', policy_type: 'ho3', distance_to_ocean_miles: 4 },
      sampleOptions,
    );
    expect(other.content.distances).toMatchObject([{ source: { kind: 'given' }, shore: null }]);
    expect(other.content.location).toBeNull();
  });

  it('answers for every carrier, also if the request leaves some out', async () => {
    const home = { ...sampleHome, include_declined: false, explain: false };
    const { certificate: other } = await issueCertificate(home, sampleOptions);
    expect(other.content.verdicts).toEqual(content.verdicts);
    expect(other.content.not_offered).toEqual([]);
  });

  it('states the same on the page, escaped, without script or outside content', () => {
    expect(page).not.toMatch(/<script|href=|src=|url\(|@import|@font-face|\bon\w+=/);
    const [visible] = page.split('<pre id=');
    for (const text of [
      'Bluestem &lt;Mutual&gt; &amp; Co',
      'Pat &quot;Doe&quot;',
      'A roof may be 15 years old; this one is 22.',
      'Source: the request (inspection, 2026-05-01).',
      'Appetite only: not an offer, a quote or a binder.',
      certificate.hashes.content,
      certificate.signature.key_id,
      content.verdicts[2]!.rule_set.sha256,
      'made up by &lt;us&gt;',
    ])
      expect(visible).toContain(text);
  });

  it('has a map with its hash', async () => {
    const gazetteer = await loadZipGazetteer();
    const map = { coastOf: () => smallCoast, gazetteer };
    const drawn = await issueSample({ map });
    expect(drawn.certificate.content.picture?.caption[0]).toContain('to the nearest shore that counts as tidal water');
    expect(drawn.page).toContain('class="home"');
    const again = await issueSample({ map: async () => map });
    expect(again.certificate.content.picture).toEqual(drawn.certificate.content.picture);
  });

  it('is refused for a home with faults, which are named', async () => {
    await expect(issueCertificate({ state: 'zz', roof_age: -1 }, sampleOptions)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(issueCertificate('home', sampleOptions)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is not issued if the signer fails or signs with another key', async () => {
    const { keys } = sampleOptions.signer;
    const other = createKeySigner([createCertificateKey()]);
    for (const sign of [
      (bytes: Uint8Array) => other.sign(bytes),
      async () => new Uint8Array(64),
      async () => new Uint8Array(3),
      async () => Promise.reject(new Error('The key service does not answer.')),
    ])
      await expect(issueSample({ signer: { keys, sign } })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('names the key by its thumbprint, also for a signer that omits it, without the private part', async () => {
    const { signer } = sampleOptions;
    const [{ kty, crv, x, kid }] = signer.keys;
    const { json } = await issueSample({ signer: { keys: [{ kty, crv, x }], sign: signer.sign } });
    expect(JSON.parse(json).signature.key_id).toBe(kid);
    expect(json).not.toContain(sampleKey.d);
  });

  it('yields between its steps', async () => {
    let rests = 0;
    await issueSample({
      turn: {
        rest() {
          rests++;
          return undefined;
        },
      },
    });
    expect(rests).toBeGreaterThan(5);
  });
});

describe('keys of certificates', () => {
  const key = createCertificateKey();
  const { d: _, ...open } = key;

  it('are read from JSON Web Keys and PEM', () => {
    expect(readCertificateKeys(JSON.stringify(key))).toEqual([key]);
    expect(
      readCertificateKeys(JSON.stringify({ keys: [key, createKeySigner([createCertificateKey()]).keys[0]] })),
    ).toHaveLength(2);
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    const { keys } = createKeySigner(readCertificateKeys(String(pem)));
    expect(Object.keys(keys[0])).toEqual(['kty', 'crv', 'x', 'kid']);
  });

  it.each([
    ['nothing', 'neither JSON'],
    ['{"keys":[]}', 'no key'],
    ['{"kty":"RSA"}', 'not an Ed25519 key'],
    [JSON.stringify({ ...key, x: 'short' }), '"x" must be 32 bytes'],
    [JSON.stringify({ ...key, d: createCertificateKey().d }), 'not of the same key'],
    [JSON.stringify({ keys: [key, open] }), 'the same key twice'],
    [String(generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' })), 'x25519'],
    ['-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----', 'PKCS #8, unencrypted'],
  ])('are refused without repeating them: %#', (text, message) => {
    expect(() => readCertificateKeys(text)).toThrow(CertificateKeyError);
    expect(() => readCertificateKeys(text)).toThrow(message);
  });

  it('sign only if the first is private', () => {
    expect(() => createKeySigner([open])).toThrow('must be private');
    expect(() => createKeySigner([])).toThrow('must be private');
  });
});
