import fc from 'fast-check';
import { expect } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { cellsOfRow, testVolume } from '../../../../../test/support/test-volume.ts';
import { AdministrationError } from '../administration-error.ts';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { system, type World } from '../testing/test-accounts.ts';

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

/** Every text that a request may hold, and a request that holds it. */
const places: { [place: string]: (world: World, text: string) => Promise<{ [field: string]: unknown }> } = {
  'organizations.name': ({ accounts }, name) => accounts.administration.organizations.create.run(system, { name }),
  'teams.name': ({ accounts, ours }, name) => accounts.administration.teams.create.run(ours.admin, { name }),
  'teams.narrowed_to': ({ accounts, ours }, carrier_key) =>
    accounts.administration.teams.create.run(ours.admin, { name: 'x', narrowed_to: [{ carrier_key }] }),
  'producers.name': ({ accounts, ours }, name) =>
    accounts.administration.producers.create.run(ours.admin, {
      team_id: ours.teamId,
      email: `${++people}@example.com`,
      name,
    }),
  'producers.email': ({ accounts, ours }, email) =>
    accounts.administration.producers.create.run(ours.admin, { team_id: ours.teamId, email }),
  'producers.email part': ({ accounts, ours }, part) =>
    accounts.administration.producers.create.run(ours.admin, { team_id: ours.teamId, email: `${part}@example.com` }),
  'producers.team_id': ({ accounts, ours }, team_id) =>
    accounts.administration.producers.create.run(ours.admin, { team_id, email: 'a@example.com' }),
  'producers.licensed_states': ({ accounts, ours }, state) =>
    accounts.administration.producers.create.run(ours.admin, {
      team_id: ours.teamId,
      email: `${++people}@example.com`,
      licensed_states: [state],
    }),
  'appointments.carrier_key': ({ accounts, ours }, carrier_key) =>
    accounts.administration.appointments.create.run(ours.admin, { carrier_key }),
  'appointments.states': ({ accounts, ours }, state) =>
    accounts.administration.appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual', states: [state] }),
  'appointments.from': ({ accounts, ours }, from) =>
    accounts.administration.appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual', from }),
  'tokens.name': ({ accounts, ours }, name) => accounts.administration.tokens.create.run(ours.admin, { name }),
  'tokens.scopes': ({ accounts, ours }, scope) =>
    accounts.administration.tokens.create.run(ours.admin, { scopes: [scope] }),
  'audit.request_id': async ({ accounts, ours }, requestId) => {
    const { team_id } = await accounts.administration.teams.create.run(ours.admin, { name: 'x' }, { requestId });
    const { items } = await accounts.administration.audit.list.run(ours.admin, { subject_id: team_id });
    return items[0]!;
  },
  'a key of its own': ({ accounts, ours }, key) =>
    accounts.administration.teams.create.run(ours.admin, { name: 'x', [key]: 1 }),
};
let people = 0;

/** Expects the text back without surrounding blanks, or a refusal. */
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
  // A blank optional name counts as missing.
  if (field === 'name') expect(item['name']).toBe(text.trim() || null);
  if (field === 'email') expect(item['email']).toBe(text.trim());
}

describeOnStores('Hostile text', (test) => {
  test(
    'is stored unchanged or refused, in every place',
    async (world) => {
      for (const [row, place] of Object.keys(places).entries()) {
        for (const text of cellsOfRow(hostile, row, 3)) await expectStoredOrRefused(world, place, text);
      }
      await expectUntouched(world);
    },
    { limits: { teams: 1_000_000, producers: 1_000_000, tokens: 1_000_000 } },
  );

  test(
    'is stored unchanged or refused for arbitrary texts',
    async (world) => {
      const runs = testVolume(20);
      const hostileText = fc.oneof(anyText(), fc.string({ unit: 'grapheme' }), fc.constantFrom(...hostile));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...Object.keys(places)), hostileText, (place, text) =>
          expectStoredOrRefused(world, place, text),
        ),
        { numRuns: runs },
      );
      await expectUntouched(world);
    },
    { limits: { teams: 1_000_000, producers: 1_000_000, tokens: 1_000_000 } },
  );
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
