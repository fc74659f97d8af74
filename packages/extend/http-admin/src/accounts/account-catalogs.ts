import { type CustomCarrier, createAppointmentIndex, type Directory } from '@leeward/accounts';
import type { Catalog } from '@leeward/engine';
import {
  createRuleSetPool,
  type OrganizationCatalog,
  openOrganizationCatalog,
  type RuleSetPool,
} from '@leeward/engine/organizations';
import { type OrganizationCatalogs, organizationTenant, type ServedCatalog, servedCatalog } from '@leeward/http';
import { isObject } from '@leeward/terms';
import { type CheckerFor, threadCheckers } from '../rule-sets/thread-checkers.ts';
import { createKeptViews } from './kept-views.ts';

const MEBIBYTE = 1024 * 1024;
const DEFAULT_MAX_VIEW_BYTES = 96 * MEBIBYTE;
/** Estimated size of a view without its rules, and of an appointment. */
const BYTES_OF_VIEW = 8_192;
const BYTES_OF_APPOINTMENT = 512;

/** Memory and checks of the catalogs of organizations. */
export interface AccountCatalogOptions {
  /**
   * Maximum estimated memory of the rule sets and overrides of kept views, in bytes. The view used longest ago is dropped first.
   *
   * @default 100_663_296
   */
  readonly maxViewBytes?: number;
  /** Compiled rule sets that organizations share. If omitted, a new pool. */
  readonly pool?: RuleSetPool;
  /** Checks the files of a tenant. If omitted, worker threads that the process shares; hosts without threads give `() => syncChecker`. */
  readonly checkerFor?: CheckerFor;
}

/**
 * Catalogs of organizations, from their accounts: the carriers of the base that are appointed, with overrides, and the
 * organization's own carriers. A view is kept under the stamp of its accounts, so a change takes effect with the next request in
 * every process. Rule sets that several organizations share are compiled once.
 *
 * @example
 * createLeeward({
 *   directory: accounts.directory,
 *   underwriting: { catalog, organizations: createAccountCatalogs(catalog, accounts.directory) },
 * });
 */
export function createAccountCatalogs(
  base: Catalog | ServedCatalog,
  directory: Directory,
  {
    maxViewBytes = DEFAULT_MAX_VIEW_BYTES,
    pool = createRuleSetPool(),
    checkerFor = threadCheckers(),
  }: AccountCatalogOptions = {},
): OrganizationCatalogs {
  const served = servedCatalog(base);
  const views = createKeptViews<OrganizationCatalog>(maxViewBytes);
  /** Part of the stamp of a view, which belongs to one catalog. */
  const numbers = new WeakMap<Catalog, number>();
  let lastNumber = 0;
  const numberOf = (catalog: Catalog): number => {
    const number = numbers.get(catalog) ?? ++lastNumber;
    numbers.set(catalog, number);
    return number;
  };
  /** Views being made, by organization and stamp. Concurrent requests share them. */
  const underWay = new Map<string, Promise<OrganizationCatalog | undefined>>();
  const open = async (organizationId: string, catalog: Catalog): Promise<OrganizationCatalog | undefined> => {
    const rules = await directory.catalog(organizationId);
    if (rules === undefined) return undefined;
    const appointments = createAppointmentIndex(rules.appointments);
    const carriers = rules.carriers.filter((carrier) => lineOf(carrier) === catalog.vocabulary.line);
    const keys = new Set([...catalog.carriers.map(({ key }) => key), ...carriers.map(({ carrierKey }) => carrierKey)]);
    // Overrides of carriers of other lines, or of removed carriers, are ignored.
    const overrides = rules.overrides.filter(({ carrierKey }) => keys.has(carrierKey));
    const view = await openOrganizationCatalog(
      {
        base: catalog,
        pool,
        isAppointed: (carrierKey, policyType, { state, asOfMs }) =>
          appointments.covers({ carrierKey, policyType, state, on: dayOf(asOfMs) }),
        // Called only if the pool does not have the file.
        ownRuleSets: carriers.map((carrier) => () => carrier.ruleSet),
        overrides: overrides.map((override) => () => override.override),
        sha256: {
          ownRuleSets: carriers.map(({ sha256 }) => sha256),
          overrides: overrides.map(({ sha256 }) => sha256),
        },
      },
      checkerFor(organizationTenant(organizationId)),
    );
    const ownBytes = BYTES_OF_VIEW + BYTES_OF_APPOINTMENT * rules.appointments.length;
    views.set(organizationId, `${rules.stamp} ${numberOf(catalog)}`, view, ownBytes);
    return view;
  };
  return {
    async catalogOf(organizationId) {
      const stamp = await directory.catalogStamp(organizationId);
      if (stamp === undefined) {
        views.delete(organizationId);
        return undefined;
      }
      const catalog = await served.current();
      const viewStamp = `${stamp} ${numberOf(catalog)}`;
      const view = views.get(organizationId, viewStamp);
      if (view) return view;
      const key = `${organizationId} ${viewStamp}`;
      let opening = underWay.get(key);
      if (!opening) {
        opening = open(organizationId, catalog).finally(() => underWay.delete(key));
        underWay.set(key, opening);
      }
      return opening;
    },
  };
}

/** Lines of files by hash. */
const lineBySha256 = new Map<string, string>();
const MAX_LINES_KEPT = 10_000;

/** The line of a carrier of an organization. */
function lineOf({ ruleSet, sha256 }: CustomCarrier): string {
  let line = lineBySha256.get(sha256);
  if (line === undefined) {
    const value = isObject(ruleSet) ? ruleSet['line'] : undefined;
    line = typeof value === 'string' ? value : 'home';
    if (lineBySha256.size >= MAX_LINES_KEPT) lineBySha256.clear();
    lineBySha256.set(sha256, line);
  }
  return line;
}

/** Appointments are valid by UTC day of `as_of`. */
function dayOf(asOfMs: number): string {
  return new Date(asOfMs).toISOString().slice(0, 10);
}
