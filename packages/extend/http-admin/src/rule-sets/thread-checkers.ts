import type { RuleChecker } from '@leeward/engine';
import type { LineSource } from '@leeward/engine/check-thread';

/** A checker of files for each tenant: tenants take turns on the threads. */
export type CheckerFor = (tenant: string) => RuleChecker;

/**
 * Checks files on threads of the shared pool of the process. The pool is loaded with the first check.
 *
 * @example
 * const catalogs = createAccountCatalogs(catalog, accounts.directory, { checkerFor: threadCheckers() });
 */
export function threadCheckers(lineModules: readonly LineSource[] = []): CheckerFor {
  const open = async (tenant: string): Promise<RuleChecker> => {
    const [{ createThreadChecker }, { sharedWorkerPool }] = await Promise.all([
      import('@leeward/engine/check-thread'),
      import('@leeward/worker-pool'),
    ]);
    return createThreadChecker({ pool: sharedWorkerPool(), tenant, lineModules });
  };
  return (tenant) => ({
    checkRuleSet: async (file, options) => (await open(tenant)).checkRuleSet(file, options),
    checkOverride: async (file, of, vocabulary) => (await open(tenant)).checkOverride(file, of, vocabulary),
  });
}
