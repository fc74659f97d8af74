import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonical, keyIdOf, verifyCertificate } from '@leeward/certificate/verify';
import { afterAll, describe, expect, it } from 'vitest';
import { createCertificateKey, createKeySigner } from './keys/certificate-keys.ts';
import { issueSample, sampleKey, sampleOptions } from './testing/sample-home.ts';

const { json, page, certificate } = await issueSample();
const { keys } = sampleOptions.signer;
const folder = mkdtempSync(join(tmpdir(), 'leeward-verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('canonical JSON', () => {
  it('is that of the examples of RFC 8785', () => {
    const example = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonical(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = canonical(Object.fromEntries(names.map((name) => [name, ''])));
    expect(Object.keys(JSON.parse(sorted)).filter((name) => name !== '1')).toEqual([
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\u{1f600}',
      '\ufb33',
    ]);
    expect(sorted.startsWith('{"\\r":"","1":"",')).toBe(true);
  });

  // Appendix B: bits of a double, and its text.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s', (bits, text) => {
    expect(canonical(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('names keys as RFC 8037 does', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;
    expect(keyIdOf(key)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });
});

/** Exit code of a refusal; 0 if verified. */
function verified(bytes: Uint8Array, known = keys): number {
  try {
    verifyCertificate(bytes, known);
    return 0;
  } catch (error) {
    return (error as { exitCode?: number }).exitCode ?? -1;
  }
}

describe('verification', () => {
  it('accepts the JSON and the page, which hold the same certificate', () => {
    expect(verifyCertificate(Buffer.from(json), keys)).toEqual(certificate);
    expect(verifyCertificate(Buffer.from(page), keys)).toEqual(certificate);
    expect(verified(Buffer.from(`${json}\n`))).toBe(0);
    expect(json).toBe(canonical(certificate));
  });

  it.each([
    ['JSON', json],
    ['page', page],
  ])('refuses a %s with one changed byte, wherever it is', (_, text) => {
    const bytes = Buffer.from(text);
    const signature = text.indexOf(certificate.signature.value);
    expect(signature).toBeGreaterThan(0);
    const positions = new Set(Array.from({ length: 400 }, (_, at) => Math.floor((at * bytes.length) / 400)));
    for (let at = 0; at < 86; at++) positions.add(signature + at);
    for (const place of [0, 1, bytes.length - 2, bytes.length - 1]) positions.add(place);
    const accepted: string[] = [];
    for (const position of positions) {
      for (const bit of [1, 32, 128]) {
        const changed = Buffer.from(bytes);
        changed[position] = changed[position]! ^ bit;
        const code = verified(changed);
        if (code !== 1 && code !== 3) accepted.push(`${position} ^ ${bit}: ${code}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it.each([
    ['JSON', json],
    ['page', page],
  ])('refuses a %s with a byte less or more', (_, text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < 60; at++) {
      const position = Math.floor((at * (bytes.length - 1)) / 60);
      const rest = [bytes.subarray(0, position), bytes.subarray(position + 1)];
      expect([1, 3]).toContain(verified(Buffer.concat(rest)));
      expect([1, 3]).toContain(
        verified(Buffer.concat([bytes.subarray(0, position), Buffer.from(' '), bytes.subarray(position)])),
      );
    }
  });

  it('refuses the JSON of one certificate in the page of another, and text before the page', async () => {
    const other = await issueSample({ traceId: 'trace-2' });
    const inside = (each: string) => /<pre id="leeward-certificate">([^<]*)</.exec(each)![1]!;
    expect(verified(Buffer.from(page.replace(inside(page), () => inside(other.page))))).toBe(1);
    expect(verified(Buffer.from(`<p>${page}`))).toBe(1);
    expect(verified(Buffer.from(`${page}<p>`))).toBe(1);
    const own = `<pre id="leeward-certificate">${inside(page)}</pre>`;
    expect(verified(Buffer.from(`${own}${page}`))).toBe(1);
  });

  it('refuses formatted JSON, other keys and a certificate that another key signed under this key’s name', async () => {
    expect(verified(Buffer.from(JSON.stringify(certificate, null, 2)))).toBe(1);
    expect(verified(Buffer.from(json), createKeySigner([createCertificateKey()]).keys)).toBe(3);
    const forged = createKeySigner([createCertificateKey()]);
    const { value: _, ...signature } = certificate.signature;
    const unsigned = { ...certificate, signature };
    const bits = await forged.sign(Buffer.from(canonical(unsigned)));
    const value = Buffer.from(bits).toString('base64url');
    expect(verified(Buffer.from(canonical({ ...unsigned, signature: { ...signature, value } })))).toBe(1);
  });

  it('accepts earlier certificates after a change of the key', () => {
    const next = createKeySigner([createCertificateKey(), sampleKey]);
    expect(next.keys).toHaveLength(2);
    expect(verified(Buffer.from(page), next.keys as typeof keys)).toBe(0);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"format":"leeward-certificate/1"}',
    '{"format":"leeward-certificate/1","hashes":{},"signature":{}}',
    '\ufeff{}',
    '<html>',
  ])('refuses %j, which is not a certificate', (text) => expect(verified(Buffer.from(text))).toBe(1));
});

describe('the script', () => {
  const script = join(import.meta.dirname, '../verify.mjs');
  const write = (name: string, content: string | Uint8Array) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const run = (...words: string[]) =>
    new Promise<{ code: number; printed: string; errors: string }>((resolve) => {
      // Without conditions: it needs Node alone.
      const environment = { PATH: process.env['PATH'] };
      const child = execFile(process.execPath, [script, ...words], { env: environment }, (_, printed, errors) =>
        resolve({ code: child.exitCode ?? -1, printed, errors }),
      );
    });
  const keyFile = write('keys.json', JSON.stringify({ keys }));

  it('has at most 60 lines and imports Node alone', () => {
    const text = readFileSync(script, 'utf8');
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(60);
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(imports).toEqual(['node:crypto', 'node:fs']);
  });

  it('verifies the JSON and the page', async () => {
    const files = [write('home.json', json), write('home.html', page)];
    const { code, printed, errors } = await run('--key', keyFile, ...files);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(printed.match(/verified\. Issued 2026-11-20T12:00:00\.000Z/g)).toHaveLength(2);
  });

  it('refuses a changed byte, another key and wrong use, each with its exit code', async () => {
    const home = write('home.json', json);
    const changedJson = await run(
      '--key',
      keyFile,
      write('changed.json', json.replace('"ineligible"', '"ineligibIe"')),
    );
    expect(changedJson).toMatchObject({ code: 1, errors: expect.stringContaining('The data was changed') });
    const changedPage = await run('--key', keyFile, write('changed.html', page.replace('Ineligible', 'Eligible')));
    expect(changedPage).toMatchObject({ code: 1, errors: expect.stringContaining('The page was changed') });
    const otherKeys = write('other.json', JSON.stringify(createKeySigner([createCertificateKey()]).keys[0]));
    const wrongKey = await run('--key', otherKeys, home);
    expect(wrongKey).toMatchObject({ code: 3, errors: expect.stringContaining(keys[0].kid!) });
    expect(await run(home)).toMatchObject({ code: 2, errors: expect.stringContaining('Use: node verify.mjs') });
    expect(await run()).toMatchObject({ code: 2, errors: expect.stringContaining('Use: node verify.mjs') });
    expect(await run('--key', join(folder, 'missing.json'), home)).toMatchObject({ code: 2 });
  });
});
