import { createKeyHolder, createLeeward, type Leeward, type LeewardOptions, type ProblemDocument } from '@leeward/http';
import { checkedLeeward } from './checked-leeward.ts';
import { sampleCatalog } from './sample-catalog.ts';

function token(id: string): string {
  return `lw_test_${id.padEnd(26, '0')}_${'k'.repeat(43)}`;
}

/** Tokens that the sample service knows. */
export const tokens = {
  acme: token('acme'),
  other: token('other'),
  distanceOnly: token('distance'),
  rulesOnly: token('rules'),
  operator: token('operator'),
  expired: token('expired'),
} as const;

const now = new Date('2026-11-20T12:00:00Z');

/**
 * A whole service over the sample catalog, at noon of a fixed day, whose every answer is held against its document. The
 * organization `org_acme` exists.
 */
export function sampleService(options: Partial<LeewardOptions> = {}): Leeward {
  const catalog = sampleCatalog();
  const clock = () => now;
  const directory = createKeyHolder(
    [
      { token: tokens.acme, scopes: ['underwrite'], organizationId: 'org_acme' },
      { token: tokens.other, scopes: ['underwrite'], organizationId: 'org_other' },
      { token: tokens.distanceOnly, scopes: ['distance'], organizationId: 'org_acme' },
      { token: tokens.rulesOnly, scopes: ['rules'], organizationId: 'org_acme' },
      { token: tokens.operator, scopes: ['operator'] },
      { token: tokens.expired, scopes: ['underwrite'], expiresAt: new Date('2026-11-20T11:59:59Z') },
    ],
    clock,
  );
  const organizations = { catalogOf: async (id: string) => (id === 'org_acme' ? catalog : undefined) };
  return checkedLeeward(
    createLeeward({
      directory,
      underwriting: { catalog, organizations, clock },
      announcedLines: ['renters', 'umbrella'],
      rateLimit: null,
      ...options,
    }),
  );
}

export interface Ask {
  readonly method?: string;
  /** null: none at all. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, other values as JSON. */
  readonly body?: unknown;
}

/** Sends a request as a client with good manners would, but for what `ask` says. */
export function ask(leeward: Leeward, path: string, options: Ask = {}): Promise<Response> {
  const { method = 'POST', token = tokens.acme, headers = {}, body } = options;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return leeward.fetch(
    new Request(`http://leeward.test${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    }),
  );
}

export async function problemOf(response: Response): Promise<ProblemDocument> {
  return (await response.json()) as ProblemDocument;
}
