import { homeStatuses, type WatchedHomes } from '@leeward/quotes';
import { acrossFields } from '@leeward/terms';
import { z } from 'zod';
import type { Caller } from '../../access/directory.ts';
import { asExample } from '../../document/content-text.ts';
import type { Operation } from '../../operation/operation.ts';
import { invalidRequest, type RequestFault } from '../../problem/problem.ts';
import { instant } from '../../quoting/quote-schema.ts';
import { checkBody } from '../../request/check-body.ts';
import { nothing } from './quote-examples.ts';
import { quoteRoute } from './quote-route.ts';
import type { QuotingPorts, ReadSavedHome, SavedHome } from './quoting-ports.ts';

const identifier = z.string().meta({ minLength: 1 });
const createRequest = z
  .strictObject({
    reference: z.string().meta({
      minLength: 1,
      maxLength: 200,
      description: 'Your name for the home, 1 to 200 characters; returned in events.',
    }),
    home: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({ description: 'The home, as in `/v1/underwrite/home`, without `as_of`. Alternative: `decision_id`.' }),
    decision_id: identifier.nullish().meta({
      description:
        'A saved decision of your organization whose home is watched. Alternative: `home`. Its address is not saved, so some values can be unknown; `warnings` names them.',
    }),
    quote_request_id: identifier.nullish().meta({
      description:
        'A quote of the same person: when its personal data is erased, by id, by insured or by age, the home is removed too. Without it, remove the home yourself when the person asks for erasure.',
    }),
  })
  .meta({
    id: 'WatchHomeRequest',
    ...acrossFields({ someOf: [['home', 'decision_id']], apart: [['home', 'decision_id']] }),
  });
const homeId = z.string().meta({ description: 'The `watched_home_id`.' });
const homeRequest = z.strictObject({ watched_home_id: homeId }).meta({ id: 'WatchedHomeRequest' });
const listRequest = z
  .strictObject({
    limit: z.int().min(1).max(200).nullish().meta({ description: 'Maximum number of homes; default 50.' }),
    cursor: z.string().max(200).nullish().meta({ description: 'The value of `next` of the previous page.' }),
  })
  .meta({ id: 'WatchedHomesRequest' });

const homeStatus = z.enum(homeStatuses);
const count = z.int().min(0);
const change = z
  .object({
    carrier_key: z.string(),
    carrier: z.string(),
    policy_type: z.string(),
    status_before: homeStatus.meta({ description: 'Status before the change.' }),
    status_after: homeStatus.meta({ description: 'Status after the change.' }),
    reason: z.string().nullable().meta({ description: 'The first reason of the new status; null without one.' }),
  })
  .meta({ id: 'WatchedHomeChange' });
const watchedHome = z
  .object({
    watched_home_id: homeId,
    reference: z.string().nullable().meta({ description: 'Your name for the home. Null if it cannot be decrypted.' }),
    home: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The home as it was sent. Only from `get`, and only for tokens with the scope `insured`.' }),
    counts: z
      .object(
        Object.fromEntries(homeStatuses.map((status) => [status, count])) as Record<
          (typeof homeStatuses)[number],
          typeof count
        >,
      )
      .nullable()
      .meta({ description: 'Carriers by status. Null before the first evaluation.' }),
    last_change: z
      .object({ at: instant, changes: z.array(change) })
      .nullable()
      .meta({ description: 'The last change of statuses; null before the first.' }),
    quote_request_id: z
      .string()
      .nullable()
      .meta({ description: 'Erasing the personal data of this quote removes the home. Null without a quote.' }),
    created_at: instant,
    evaluated_at: instant.nullable().meta({ description: 'The last evaluation. Null before the first.' }),
    watched_until: instant.meta({
      description: 'Then the home is removed, as personal data of quotes is; with a quote, at the latest then.',
    }),
  })
  .meta({ id: 'WatchedHome' });
const createdHome = watchedHome.extend({
  warnings: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .meta({ description: 'Values of the saved decision that are unknown to the watched home.' }),
});
const list = z.object({
  watched_homes: z.array(watchedHome),
  next: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' }),
});
const removed = z.object({ watched_home_id: homeId });

const example = {
  watched_home_id: '01a1fb9b-afb1-7f12-8456-f0be1282f255',
  reference: 'customer 4711',
  home: null,
  counts: { eligible: 4, referral: 1, needs_information: 3, ineligible: 2, not_offered: 0 },
  last_change: {
    at: '2026-11-21T08:00:00.000000Z',
    changes: [
      {
        carrier_key: 'bayou_mutual',
        carrier: 'Bayou Mutual',
        policy_type: 'ho3',
        status_before: 'ineligible',
        status_after: 'eligible',
        reason: null,
      },
    ],
  },
  quote_request_id: null,
  created_at: '2026-11-20T12:00:00.706000Z',
  evaluated_at: '2026-11-21T08:00:00.000000Z',
  watched_until: '2027-02-18T12:00:00.706000Z',
};
const named = { watched_home_id: example.watched_home_id };

type WatchedHomePorts = Pick<QuotingPorts, 'quotes' | 'savedHome'>;

/** `/api/v1/watched-homes/…`: homes that are evaluated again when rules or events change. None without `watchedHomes`. */
export function watchedHomeOperations({ quotes, savedHome }: WatchedHomePorts): Operation[] {
  return quotes.watchedHomes === undefined ? [] : operationsOf(quotes.watchedHomes, savedHome);
}

function operationsOf(homes: WatchedHomes, savedHome: ReadSavedHome | undefined): Operation[] {
  return [
    quoteRoute({
      path: '/api/v1/watched-homes/create',
      operationId: 'watchHome',
      summary: 'Watch a home',
      description:
        'Evaluates the home, or the home of a saved decision, and evaluates it again whenever rules, overrides, appointments or events in force change, and every day. A change of a carrier’s status is sent to the team’s webhooks as `home.verdicts_changed`. A team can watch 10,000 homes.',
      request: createRequest,
      response: createdHome,
      example: {
        request: asExample('A home in Florida', {
          reference: 'customer 4711',
          home: { state: 'fl', county: 'marion', policy_type: 'ho3', roof_age: 12, roof_type: '3-tab shingle' },
        }),
        answer: asExample('Watched', {
          ...example,
          last_change: null,
          evaluated_at: example.created_at,
          warnings: [],
        }),
      },
      async run(teamId, { json, caller }) {
        const request = checkBody(createRequest, json ?? {});
        const { home, leftOut } = await homeToWatch(request, caller, savedHome);
        const created = await homes.create(teamId, {
          reference: request.reference,
          home,
          quoteRequestId: request.quote_request_id ?? undefined,
        });
        return { ...created, warnings: leftOut.map(warningOf) };
      },
    }),
    quoteRoute({
      path: '/api/v1/watched-homes/list',
      operationId: 'listWatchedHomes',
      summary: 'List watched homes',
      description: 'The watched homes of the team, newest first, with their last changes.',
      request: listRequest,
      isOptional: true,
      response: list,
      example: { request: nothing, answer: asExample('One home', { watched_homes: [example], next: null }) },
      run(teamId, { json }) {
        const { limit, cursor } = checkBody(listRequest, json ?? {});
        return homes.list(teamId, { limit: limit ?? undefined, cursor: cursor ?? undefined });
      },
    }),
    quoteRoute({
      path: '/api/v1/watched-homes/get',
      operationId: 'getWatchedHome',
      summary: 'Get a watched home',
      description:
        'One watched home with its last change. A token with the scope `insured` also gets the home as it was sent.',
      request: homeRequest,
      response: watchedHome,
      problems: ['not_found'],
      example: { request: asExample('By id', named), answer: asExample('One home', example) },
      run(teamId, { json, caller }) {
        const { watched_home_id: id } = checkBody(homeRequest, json ?? {});
        return homes.read(teamId, id, { showsHome: caller.scopes.has('insured') });
      },
    }),
    quoteRoute({
      path: '/api/v1/watched-homes/remove',
      operationId: 'removeWatchedHome',
      summary: 'Remove a watched home',
      description: 'Ends watching and deletes the home, its verdicts and its unsent events for good.',
      request: homeRequest,
      response: removed,
      problems: ['not_found'],
      example: { request: asExample('By id', named), answer: asExample('Removed', named) },
      async run(teamId, { json }) {
        const { watched_home_id } = checkBody(homeRequest, json ?? {});
        return (await homes.remove(teamId, watched_home_id)) ? { watched_home_id } : undefined;
      },
    }),
  ];
}

/** @throws {Problem} unless there is exactly one of `home` and `decision_id`, and the decision exists */
async function homeToWatch(
  { home, decision_id: id }: z.output<typeof createRequest>,
  caller: Caller,
  savedHome: ReadSavedHome | undefined,
): Promise<SavedHome> {
  const fault = (code: string, message: string) => invalidRequest([{ path: '/decision_id', code, message }]);
  if (id == null) {
    if (home != null) return { home, leftOut: [] };
    throw fault('one_of', 'home and decision_id are missing; give home, or the decision_id of a saved decision.');
  }
  if (home != null) throw fault('one_of', 'home and decision_id are both given; give one of them.');
  if (!savedHome) {
    throw fault('not_supported', 'decision_id is given, but this service has no saved decisions; give home.');
  }
  const saved = await savedHome(caller, id);
  if (saved) return saved;
  const message =
    'decision_id is not a saved decision of your organization, or it has expired; give an id of /v1/admin/saved-decisions/list, or home.';
  throw fault('unknown_decision', message);
}

function warningOf(leftOut: string): RequestFault {
  const message = `Unknown to the watched home: ${leftOut}. Give home to watch it with this value.`;
  return { path: '/decision_id', code: 'not_saved', message };
}
