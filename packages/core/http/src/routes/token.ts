import { z } from 'zod';
import type { Caller, Directory } from '../access/directory.ts';
import { asExample, createContentText } from '../document/content-text.ts';
import type { RouteGroup } from '../operation/operation.ts';
import { unavailable } from '../problem/problem.ts';

const tokenHolder = z
  .object({
    token_id: z.string(),
    environment: z.string().nullable().meta({ description: 'Environment of the token.' }),
    organization: z
      .object({ organization_id: z.string(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'null for a token of the operator.' }),
    team: z
      .object({ team_id: z.string(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'null for a token of the whole organization.' }),
    user: z
      .object({ user_id: z.string(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The person who holds the token; null for a token of a program.' }),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'TokenHolder' });

type TokenHolder = z.infer<typeof tokenHolder>;

/** `GET /v1/token`: the person, organization, team and scopes of the caller's token. */
export function tokenRoutes(directory: Directory): RouteGroup {
  const tag = 'token';
  return {
    name: tag,
    description: 'The token of a request.',
    operations: [
      {
        method: 'get',
        path: '/v1/token',
        operationId: 'readToken',
        tag,
        access: 'token',
        summary: 'Read the current token',
        description:
          'For every valid token, with any scopes. A page can show people as whom and where they are signed in.',
        answers: {
          200: {
            description: 'The organization, team and environment of the token.',
            content: createContentText('ReadTokenResponse', tokenHolder, 'output', { examples: teamToken }),
          },
        },
        async handle({ caller }) {
          try {
            return { status: 200, body: await holderOf(caller!, directory) };
          } catch (cause) {
            throw unavailable('The directory of tokens', cause);
          }
        },
      },
    ],
  };
}

const teamToken = asExample('A token of a team', {
  token_id: '01jd4v3x9m8k7h2q5t6w0y1z2a',
  environment: 'live',
  organization: { organization_id: '01jd4v3x9m8k7h2q5t6w0y1z2b', name: 'Palmetto Insurance Group' },
  team: { team_id: '01jd4v3x9m8k7h2q5t6w0y1z2c', name: 'Personal lines' },
  user: null,
  scopes: ['quote'],
});

async function holderOf(caller: Caller, directory: Directory): Promise<TokenHolder> {
  const { tokenId, environment = null, organizationId, teamId, userId = null, scopes } = caller;
  const [organization, team, user] = await Promise.all([
    organizationId === null ? undefined : directory.organization?.(organizationId),
    teamId === null ? undefined : directory.team?.(teamId),
    userId === null ? undefined : directory.user?.(userId),
  ]);
  return {
    token_id: tokenId,
    environment,
    organization:
      organizationId === null ? null : { organization_id: organizationId, name: organization?.name ?? null },
    team: teamId === null ? null : { team_id: teamId, name: team?.name ?? null },
    user: userId === null ? null : { user_id: userId, name: user?.name ?? null },
    scopes: [...scopes],
  };
}
