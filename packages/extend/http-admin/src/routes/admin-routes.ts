import type { Accounts } from '@leeward/accounts';
import type { QuoteAudit, RouteGroup } from '@leeward/http';
import type { Quotes } from '@leeward/quotes';
import type { Registry } from '@leeward/registry';
import { administrationRoutes } from './administration.ts';
import { quoteOperatorRoutes } from './quote-operator.ts';
import { webhookRoutes } from './webhooks.ts';

/** Parts of a service that are administered over HTTP. */
export interface AdminOptions {
  readonly accounts: Pick<Accounts, 'administration' | 'auditTrail' | 'directory'>;
  /** If omitted, rule sets, overrides and moratoria are not administered. */
  readonly registry?: Pick<Registry, 'administration'>;
  /** If omitted, webhooks, carriers and rates are not administered. */
  readonly quotes?: Quotes;
}

/**
 * All administration of accounts, rule sets and quotes, as `routes` of `createLeeward`. If a team is removed, the personal data of its
 * quotes is erased.
 *
 * @example
 * createLeeward({ directory: accounts.directory, routes: adminRoutes({ accounts, registry, quotes }) });
 */
export function adminRoutes({ accounts, registry, quotes }: AdminOptions): RouteGroup[] {
  const operations = [...accounts.administration.operations, ...(registry?.administration.operations ?? [])];
  if (quotes === undefined) return [administrationRoutes({ operations })];
  const audit = createQuoteAudit(accounts);
  const organizationOf = async (teamId: string) => (await accounts.directory.team(teamId))?.organizationId;
  return [
    quoteOperatorRoutes({ quotes, audit }),
    webhookRoutes({ webhooks: quotes.webhooks, organizationOf, audit }),
    administrationRoutes({ operations, afterRemoval: () => quotes.eraseRemovedTeams() }),
  ];
}

/**
 * Records changes of quotes in the audit log of accounts: `audit` of `quoting`.
 *
 * @example
 * createLeeward({ directory: accounts.directory, quoting: { quotes, audit: createQuoteAudit(accounts) } });
 */
export function createQuoteAudit({ auditTrail }: Pick<Accounts, 'auditTrail'>): QuoteAudit {
  return ({ caller, ...entry }) =>
    auditTrail.record({
      ...entry,
      actor: { tokenId: caller.tokenId, userId: caller.userId },
      organizationId: caller.organizationId,
    });
}
