import type { HttpAuthFile } from '../schema.ts';
import { fillSecrets, type Secrets } from '../secrets.ts';
import type { Fetch } from '../send-http.ts';
import type { Auth, AuthHeaders } from './auth.ts';
import { createClientCredentials } from './client-credentials.ts';

export function createAuth(file: HttpAuthFile | undefined, secrets: Secrets, fetch: Fetch): Auth {
  const constant = (headers: AuthHeaders): Auth => ({ headers: async () => headers, refused: () => false });
  switch (file?.type) {
    case undefined:
      return constant({});
    case 'bearer':
      return constant({ authorization: `Bearer ${fillSecrets(file.token, secrets)}` });
    case 'header':
      return constant({ [file.name.toLowerCase()]: fillSecrets(file.value, secrets) });
    case 'basic': {
      const pair = `${fillSecrets(file.username, secrets)}:${fillSecrets(file.password, secrets)}`;
      return constant({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    }
    case 'oauth2_client_credentials':
      return createClientCredentials(file, secrets, fetch);
  }
}
