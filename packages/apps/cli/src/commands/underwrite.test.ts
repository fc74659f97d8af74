import { describe, expect, it } from 'vitest';
import { harrisHome, miamiHome } from '../demo/demo-homes.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const escapeCharacter = '\u001b';

describe('leeward underwrite', () => {
  it('prints a line per carrier, with its requirements', async () => {
    using folder = temporaryFolder({ 'home.json': JSON.stringify(harrisHome) });
    const { code, output, errors } = await runWords(['underwrite', 'home.json'], { folder: folder.path });
    expect({ code, errors }).toEqual({ code: 0, errors: 'These carriers are invented; give yours with --carriers.\n' });
    expect(output).toMatch(/eligible +│ /);
    expect(output).toMatch(/referral +│ /);
    expect(output).toMatch(/needs information +│ /);
    expect(output).toMatch(/ineligible +│ Bayou Mutual +│ HO3 +│ - A 3-tab roof may be 15 years old; this one is 22\./);
    expect(output).toMatch(/\? needs .*address/);
    expect(output).toMatch(/Ask next: /);
    expect(output).toContain('Appetite only: not an offer, a quote or a binder.');
    expect(output).not.toContain(escapeCharacter);
    for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('fits the terminal, and colors only one', async () => {
    const input = JSON.stringify(miamiHome);
    const { output } = await runWords(['underwrite', '-'], { input, columns: 90, inColor: true });
    expect(output).toContain(`${escapeCharacter}[32meligible`);
    const plain = output.replaceAll(new RegExp(`${escapeCharacter}\\[\\d+m`, 'g'), '');
    const widest = Math.max(
      ...plain
        .split('\n')
        .filter((line) => /[│┌└├]/.test(line))
        .map((line) => line.length),
    );
    expect(widest).toBeLessThanOrEqual(90);
    expect(plain).toContain('inspection');
  });

  it.each([40, 60, 80, 100, 120, 200])('cuts no message at %i columns', async (columns) => {
    const input = JSON.stringify({ state: 'tx', county: 'harris' });
    const [{ output }, { output: json }] = await Promise.all([
      runWords(['underwrite', '-'], { input, columns }),
      runWords(['underwrite', '-', '--json'], { input }),
    ]);
    type Messages = readonly { readonly message: string }[];
    const { carriers, declined } = JSON.parse(json) as Record<
      'carriers' | 'declined',
      readonly Record<'reasons' | 'requirements' | 'possible_requirements' | 'notes', Messages>[]
    >;
    // The last cell of each line, without the blanks at which it is wrapped.
    const last = output
      .split('\n')
      .map((line) => line.split('│').at(-2) ?? line)
      .join('')
      .replaceAll(/\s/g, '');
    const messages = [...carriers, ...declined].flatMap((each) =>
      [...each.reasons, ...each.requirements, ...each.possible_requirements, ...each.notes].map(
        ({ message }) => message,
      ),
    );
    expect(messages.length).toBeGreaterThan(50);
    for (const message of messages) expect(last).toContain(message.replaceAll(/\s/g, ''));
    expect(output).not.toContain('…');
  });

  it('prints what the HTTP API would answer', async () => {
    const { code, output } = await runWords(['underwrite', '-', '--json'], { input: JSON.stringify(harrisHome) });
    expect(code).toBe(0);
    const decision = JSON.parse(output);
    expect(decision).toMatchObject({ organization_id: null, home: harrisHome, warnings: [] });
    expect(decision.carriers.length + decision.declined.length).toBeGreaterThan(5);
  });

  it('warns under the table', async () => {
    const input = JSON.stringify({ ...harrisHome, county: 'dade' });
    const { code, output } = await runWords(['underwrite', '-'], { input });
    expect(code).toBe(0);
    expect(output).toContain('Note on county: "dade" is not a county of Texas');
    expect(output).toContain('0 eligible');
  });

  it('names every fault of the home with its line', async () => {
    using folder = temporaryFolder({
      'home.json': '{\n  "state": "tx",\n  "rof_age": 3,\n  "dwelling_a": "250,000"\n}\n',
    });
    const { code, output, errors } = await runWords(['underwrite', 'home.json'], { folder: folder.path });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toContain('home.json:3  /rof_age\n');
    expect(errors).toContain('Did you mean "roof_age"?');
    expect(errors).toContain('home.json:4  /dwelling_a\n');
  });

  it.each<[string[], string, number?]>([
    [['underwrite', 'nowhere.json'], 'There is no file nowhere.json.', 2],
    [['underwrite', '.'], 'cannot be read (EISDIR)', 2],
    [['underwrite', '-'], 'This is not JSON'],
    [['underwrite', '-', '--carriers', 'nowhere'], 'There is no folder nowhere', 2],
    [['underwrite'], "missing required argument 'file'", 2],
    [['underwite', 'x'], 'Did you mean underwrite?', 2],
    [['underwrite', '-', '--jsn'], 'Did you mean --json?', 2],
  ])('refuses %j in a sentence', async (words, message, expected = 1) => {
    const { code, errors } = await runWords(words, { input: '{"state": tx}' });
    expect(code).toBe(expected);
    expect(errors).toContain(message);
    expect(errors).not.toMatch(/\n\s+at /);
  });
});
