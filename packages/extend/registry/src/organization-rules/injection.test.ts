import { AdministrationError } from '@leeward/accounts';
import { system } from '@leeward/accounts/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { cellsOfRow, testVolume } from '../../../../../test/support/test-volume.ts';
import { describeOnStores, type World } from '../testing/describe-on-stores.ts';
import { ruleSetOf } from '../testing/test-rules.ts';

const hostile = [
  "'; drop table accounts_tokens; --",
  '" or ""="',
  "x' union select secret_hash from accounts_tokens --",
  "\\'; delete from accounts_organizations; --",
  '$1 ? :name @name %s %00',
  '\r\nSet-Cookie: admin=1',
  'a\nb',
  '{"$ne":null}',
  '"}],"scopes":["operator"],"x":[{"',
  '</script><script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what somebody else's templates would run
  '${7*7} {{7*7}} <%= 7*7 %>',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'abc\udfff',
  '\u202etxt.exe',
  '\u2028',
  '__proto__',
  'constructor',
  'x'.repeat(100_000),
  '=cmd|calc',
  '🏠 Núñez & Söhne',
];

const places: { [place: string]: (world: World, text: string) => Promise<{ [field: string]: unknown }> } = {
  'carriers.rule_set': ({ accounts, ours }, text) =>
    accounts.administration.carriers.create.run(ours.admin, {
      rule_set: ruleSetOf('own', { version: text, [text]: { [text]: [text] }, carrier: { key: 'own', name: text } }),
    }),
  'overrides.add_rules': ({ accounts, ours }, text) =>
    accounts.administration.overrides.create.run(ours.admin, {
      carrier_key: 'bayou_mutual',
      add_rules: [{ id: text, [text]: text }],
    }),
};

/** Blanks at both ends may be removed. */
async function expectStoredOrRefused(world: World, place: string, text: string): Promise<void> {
  let item: { [field: string]: unknown };
  try {
    item = await places[place]!(world, text);
  } catch (error) {
    expect(error).toBeInstanceOf(AdministrationError);
    const { message, status } = error as AdministrationError;
    expect([404, 409, 422]).toContain(status);
    expect(message).toMatch(/^[^\p{Cc}\p{Cs}]{1,1000}$/u);
    return;
  }
  const field = place.split('.')[1]!;
  if (field === 'rule_set') expect(JSON.stringify(item['rule_set'])).toContain(JSON.stringify(text));
  if (field === 'add_rules') expect(item['add_rules']).toEqual([{ id: text, [text]: text }]);
  await removeAgain(world, item);
}

async function removeAgain({ accounts }: World, item: { [field: string]: unknown }): Promise<void> {
  const { carriers, overrides } = accounts.administration;
  if ('carrier_id' in item) await carriers.remove.run(system, { carrier_id: item['carrier_id'] });
  if ('override_id' in item) await overrides.remove.run(system, { override_id: item['override_id'] });
}

describeOnStores('Hostile text', (test) => {
  test('is stored unchanged or refused, in every place', async (world) => {
    for (const [row, place] of Object.keys(places).entries()) {
      for (const text of cellsOfRow(hostile, row, 3)) await expectStoredOrRefused(world, place, text);
    }
    await expectUntouched(world);
  });

  test('is stored unchanged or refused for arbitrary texts', async (world) => {
    const runs = testVolume(20);
    const hostileText = fc.oneof(anyText(), fc.string({ unit: 'grapheme' }), fc.constantFrom(...hostile));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(places)), hostileText, (place, text) =>
        expectStoredOrRefused(world, place, text),
      ),
      { numRuns: runs },
    );
    await expectUntouched(world);
  });
});

describeOnStores('Hostile bodies', (test) => {
  test('are refused with faults or read, and never break anything', async (world) => {
    const { accounts, ours } = world;
    const { operations } = accounts.administration;
    const fields = [
      'organization_id',
      'team_id',
      'name',
      'revision',
      'scopes',
      'states',
      'rule_set',
      'cursor',
      'limit',
      'email',
    ];
    const anyBody = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.constantFrom(...fields), fc.anything({ withNullPrototype: true, withBigInt: true })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), anyBody, async (operation, body) => {
        try {
          await operation.run(ours.admin, body);
        } catch (error) {
          expect(error).toBeInstanceOf(AdministrationError);
        }
      }),
      { numRuns: testVolume(20) * 5 },
    );
    expect(await accounts.directory.authenticate(ours.adminToken)).toBeDefined();
  });
});

async function expectUntouched({ accounts, ours, theirs }: World): Promise<void> {
  expect(await accounts.directory.authenticate(ours.adminToken)).toBeDefined();
  expect(await accounts.directory.authenticate(theirs.adminToken)).toBeDefined();
  expect((await accounts.administration.teams.list.run(theirs.admin, {})).items).toHaveLength(1);
  expect((await accounts.administration.tokens.list.run(theirs.admin, {})).items).toHaveLength(1);
}
