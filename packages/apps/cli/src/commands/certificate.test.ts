import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCertificateKey } from '@leeward/certificate/keys';
import { verifyCertificate } from '@leeward/certificate/verify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { miamiHome } from '../demo/demo-homes.ts';
import { openSigner } from '../signing/certificate-keys.ts';
import { readLetterFolder } from '../signing/letter-templates.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** The Florida home has no place: nothing opens a coastline. */
const home = JSON.stringify({ ...miamiHome, roof_age: 40 });
const script = fileURLToPath(import.meta.resolve('@leeward/certificate/verify'));

const folderWithHome = (files: Record<string, string> = {}) => temporaryFolder({ 'home.json': home, ...files });
const inside =
  (folder: string) =>
  (words: readonly string[], environment: Record<string, string> = {}) =>
    runWords(words, { folder, environment: { LEEWARD_DATA_DIR: join(folder, 'data'), ...environment } });

describe('leeward certificate', () => {
  it('writes page, JSON and letters, which the script verifies with the printed keys', async () => {
    using folder = folderWithHome();
    const run = inside(folder.path);
    const words = ['certificate', 'home.json', '--letters', '--for', 'Pat Doe', '--reference', 'R-1', '--issuer', 'Us'];
    const { code, output, errors } = await run(words);
    expect({ code, errors }).toEqual({ code: 0, errors: 'These carriers are invented; give yours with --carriers.\n' });
    expect(output).toMatch(
      /^\d+ eligible, \d+ referral, \d+ needs information, [1-9]\d* ineligible\.\nSigned with the key /,
    );
    const names = readdirSync(folder.path);
    expect(names).toEqual(expect.arrayContaining(['home.certificate.html', 'home.certificate.json']));
    expect(
      names.filter((name) => /^home\.certificate\.letter\..+\.ho3\.(txt|html)$/.test(name)).length,
    ).toBeGreaterThan(1);
    const keys = await run(['certificate', 'keys']);
    writeFileSync(join(folder.path, 'keys.json'), keys.output);
    const verified = await new Promise<string>((resolve, reject) => {
      const files = ['home.certificate.html', 'home.certificate.json'];
      execFile(process.execPath, [script, '--key', 'keys.json', ...files], { cwd: folder.path }, (error, printed) =>
        error ? reject(error) : resolve(printed),
      );
    });
    expect(verified.match(/verified\./g)).toHaveLength(2);
    const { content } = JSON.parse(readFileSync(join(folder.path, 'home.certificate.json'), 'utf8'));
    expect(content).toMatchObject({ prepared_for: 'Pat Doe', reference: 'R-1', issuer: 'Us', organization_id: null });
  });

  it('makes its key once, readable by its owner only, and keeps earlier keys after a rotation', async () => {
    using folder = folderWithHome();
    const run = inside(folder.path);
    const before = await run(['certificate', 'home.json', '--json']);
    const path = join(folder.path, 'data', 'certificate-keys.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const rotated = await run(['certificate', 'keys', '--rotate']);
    const { keys } = JSON.parse(rotated.output);
    expect(keys).toHaveLength(2);
    expect(rotated.output).not.toContain('"d"');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').match(/"d"/g)).toHaveLength(1);
    const after = await run(['certificate', 'home.json', '--json']);
    for (const { output } of [before, after]) verifyCertificate(Buffer.from(output), keys);
    expect(JSON.parse(before.output).signature.key_id).toBe(keys[1].kid);
    expect(JSON.parse(after.output).signature.key_id).toBe(keys[0].kid);
  });

  it('signs with the key of a setting or file', async () => {
    const key = createCertificateKey();
    using folder = folderWithHome({ 'key.json': JSON.stringify(key) });
    const run = inside(folder.path);
    const words = ['certificate', 'home.json', '--json'];
    for (const { output } of [
      await run([...words, '--key', 'key.json']),
      await run(words, { LEEWARD_CERTIFICATE_KEY: JSON.stringify(key) }),
      await run(words, { LEEWARD_CERTIFICATE_KEY_FILE: 'key.json' }),
    ])
      expect(JSON.parse(output).signature.key_id).toBe(key.kid);
    expect(readdirSync(folder.path)).not.toContain('data');
  });

  it('names faults of the home, of keys and of templates', async () => {
    const files = { 'bad.json': '{"state":"zz"}', 'key.json': '{"kty":"RSA"}', 'letter.txt': 'a\n{{carier}}' };
    using folder = folderWithHome(files);
    const run = inside(folder.path);
    const secret = JSON.stringify({ ...createCertificateKey(), x: 'x' });
    const cases: readonly (readonly [readonly string[], Record<string, string>, number, string])[] = [
      [['bad.json'], {}, 1, 'The home has errors'],
      [['none.json'], {}, 2, 'There is no file none.json.'],
      [
        ['home.json', '--key', 'key.json'],
        {},
        2,
        'key.json cannot be used as a key of certificates. Key 1 is not an Ed25519 key',
      ],
      [['home.json', '--key', 'none.json'], {}, 2, 'cannot be read (ENOENT)'],
      [['home.json', '--template', 'letter.txt'], {}, 1, 'The letters of letter.txt: Line 2 of the template: "carier"'],
      [['home.json'], { LEEWARD_CERTIFICATE_KEY: secret }, 2, 'LEEWARD_CERTIFICATE_KEY cannot be used. Key 1: "x"'],
      [
        ['home.json'],
        { LEEWARD_CERTIFICATE_KEY: JSON.stringify(createCertificateKey()), LEEWARD_CERTIFICATE_KEY_FILE: 'f' },
        2,
        'both name a key',
      ],
      [['home.json'], { LEEWARD_DATABASE_URL: 'postgres://db/leeward' }, 2, 'must sign with the same key'],
    ];
    for (const [words, environment, exitCode, message] of cases) {
      const { code, errors } = await run(['certificate', ...words], environment);
      expect(errors).toContain(message);
      expect(errors).not.toContain('"d":');
      expect({ words, code }).toEqual({ words, code: exitCode });
    }
  });
});

describe('leeward certificate verify', () => {
  it('exits 1 for a changed file, and 3 for another key', async () => {
    using folder = folderWithHome({ 'other.json': JSON.stringify(createCertificateKey()) });
    const run = inside(folder.path);
    await run(['certificate', 'home.json']);
    const path = join(folder.path, 'home.certificate.html');
    const page = readFileSync(path, 'utf8');
    expect(await run(['certificate', 'verify', path])).toMatchObject({ code: 0, errors: '' });
    expect(await run(['certificate', 'verify', path, '--key', 'other.json'])).toMatchObject({ code: 3 });
    const changed = join(folder.path, 'changed.html');
    writeFileSync(changed, page.replace('Ineligible', 'Eligible'));
    const refused = await run(['certificate', 'verify', path, changed]);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('home.certificate.html: verified.') });
    expect(refused.errors).toContain('changed.html: not verified. The page was changed');
    const json = await run(['certificate', 'verify', changed, '--json']);
    expect(JSON.parse(json.output)).toEqual([{ file: changed, verified: false, message: expect.any(String) }]);
  });

  it('uses the keys of a service, and names the way out without keys', async () => {
    using folder = folderWithHome();
    const run = inside(folder.path);
    await run(['certificate', 'home.json']);
    const { output: keys } = await run(['certificate', 'keys']);
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.setHeader('content-type', 'application/json').end(keys);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const elsewhere = { LEEWARD_DATA_DIR: join(folder.path, 'elsewhere') };
    const words = ['certificate', 'verify', 'home.certificate.json'];
    expect(await run([...words, '--url', `${url}/`], elsewhere)).toMatchObject({ code: 0 });
    expect(asked).toEqual(['/v1/certificate-keys']);
    expect(await run(words, elsewhere)).toMatchObject({ code: 2, errors: expect.stringContaining('No keys are here') });
    expect(await run([...words, '--url', url, '--key', 'x'], elsewhere)).toMatchObject({ code: 2 });
  });
});

describe('leeward certificate letter', () => {
  it('prints letters by a template, only of a verified certificate', async () => {
    using folder = folderWithHome({
      'letter.txt': 'To {{prepared_for}}: {{carrier}}{{#reasons}}; {{message}}{{/reasons}}',
    });
    const run = inside(folder.path);
    await run(['certificate', 'home.json', '--for', 'Pat']);
    const all = await run(['certificate', 'letter', 'home.certificate.html', '--template', 'letter.txt']);
    expect(all).toMatchObject({ code: 0, errors: '' });
    const letters = all.output.split('\n\f\n');
    expect(letters.length).toBeGreaterThan(1);
    for (const letter of letters) expect(letter).toMatch(/^To Pat: [A-Z][^;]+; .+/);
    const { content } = JSON.parse(readFileSync(join(folder.path, 'home.certificate.json'), 'utf8'));
    const declined = content.verdicts.find(({ status }: { status: string }) => status === 'ineligible');
    const words = ['certificate', 'letter', 'home.certificate.json', '--carrier', declined.carrier_key, '--out', 'out'];
    expect((await run(words)).output.split('\n')).toHaveLength(3);
    expect(readFileSync(join(folder.path, `out.letter.${declined.carrier_key}.ho3.txt`), 'utf8')).toContain(
      declined.carrier,
    );
    const none = await run(['certificate', 'letter', 'home.certificate.json', '--carrier', 'nobody']);
    expect(none).toMatchObject({ code: 1, errors: expect.stringContaining('these did:') });
    const path = join(folder.path, 'home.certificate.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"Pat"', '"Kim"'));
    expect(await run(['certificate', 'letter', path])).toMatchObject({ code: 1, output: '' });
  });

  it('uses templates of an organization before those of all', () => {
    using folder = temporaryFolder({ 'letter.txt': 'all', 'org_a/letter.txt': 'a', 'org_b/letter.html': '{{bad}}' });
    const content = {
      verdicts: [{ status: 'ineligible', policy_type: 'ho3', decided_by: [], rule_set: {} }],
      home: {},
      issued_at: '',
      effective_date: '',
    };
    expect(() => readLetterFolder(folder.path)).toThrow(/org_b: Line 1 of the template: "bad"/);
    writeFileSync(join(folder.path, 'org_b/letter.html'), 'b');
    const lettersOf = readLetterFolder(folder.path);
    type Content = Parameters<ReturnType<typeof lettersOf>>[0];
    const textOf = (id: string | null) => lettersOf(id)({ ...content, notice: '' } as unknown as Content)[0]?.text;
    expect([textOf('org_a'), textOf('org_b'), textOf('../org_a'), textOf(null)]).toEqual(['a', 'all', 'all', 'all']);
    expect(() => readLetterFolder(join(folder.path, 'none'))).toThrow('LEEWARD_LETTERS');
  });
});

it('lets several processes of one machine make one key', async () => {
  using folder = temporaryFolder();
  const settings = {
    certificateKey: undefined,
    certificateKeyFile: undefined,
    dataFolder: folder.path,
    databaseUrl: 'sqlite:x',
  };
  const signers = Array.from({ length: 5 }, () => openSigner(settings));
  const ids = signers.map((each) => ('signer' in each ? each.signer.keys[0].kid : undefined));
  expect(new Set(ids).size).toBe(1);
  expect(readdirSync(folder.path)).toEqual(['certificate-keys.json']);
});
