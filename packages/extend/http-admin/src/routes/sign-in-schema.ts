import { z } from 'zod';

const redirectUri = z.string().min(1).max(2000).meta({
  description:
    'Address that the provider sends the person to: a configured one exactly, or `http://127.0.0.1:PORT/callback` or `http://[::1]:PORT/callback` of the person’s own machine.',
});
/** Random text of the browser or the command line, with 128 bits or more. */
const random = z
  .string()
  .min(22)
  .max(200)
  .regex(/^[\w.~-]+$/);
const nonce = random.meta({ description: 'Random text, returned in the ID token.' });

export const startSignInRequest = z
  .strictObject({
    redirect_uri: redirectUri,
    state: random.meta({ description: 'Random text, returned with the code. The caller compares it.' }),
    nonce,
    code_challenge: z
      .string()
      .regex(/^[\w-]{43}$/)
      .meta({ description: 'SHA-256 of the code verifier, in base64url without padding (RFC 7636, `S256`).' }),
    response_mode: z.enum(['fragment', 'query']).optional().meta({
      description:
        'Place of the code in the address: after `#`, which no server sees, or after `?`. If omitted, after `#`.',
    }),
  })
  .meta({ id: 'StartSignInRequest' });

export const signInStarted = z
  .object({
    authorization_url: z.string().meta({ description: 'Send the person there.' }),
    issuer: z.string().meta({ description: 'If the response has `iss`, it must be this.' }),
  })
  .meta({ id: 'SignInStarted' });

export const finishSignInRequest = z
  .strictObject({
    code: z.string().min(1).max(4000).meta({ description: 'Code of the provider’s response.' }),
    redirect_uri: redirectUri.meta({ description: '`redirect_uri` of the start.' }),
    nonce,
    code_verifier: z
      .string()
      .regex(/^[\w.~-]{43,128}$/)
      .meta({ description: 'The text whose SHA-256 was `code_challenge`.' }),
    iss: z.string().max(500).optional().meta({ description: '`iss` of the provider’s response, if it has one.' }),
    organization_id: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'For people of several organizations: one of those that the 409 lists.' }),
  })
  .meta({ id: 'FinishSignInRequest' });

export const signedIn = z
  .object({
    user: z.object({ user_id: z.string(), name: z.string(), email: z.string().nullable() }),
    organization: z
      .object({ organization_id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'null for a person who operates the instance.' }),
    tokens: z
      .array(
        z.object({
          token: z.string(),
          team_id: z.string().nullable().meta({ description: 'null for the whole organization.' }),
          team_name: z.string().nullable(),
          scopes: z.array(z.string()),
        }),
      )
      .meta({ description: 'One for the organization and one for each team, as the roles allow.' }),
    expires_at: z.string().meta({ description: 'Renew each token before.' }),
    ends_at: z.string().meta({ description: 'No token can be renewed beyond it.' }),
  })
  .meta({ id: 'SignedIn' });

export const signInRenewed = z.object({ expires_at: z.string() }).meta({ id: 'SignInRenewed' });
export const signInEnded = z.object({}).meta({ id: 'SignInEnded' });
