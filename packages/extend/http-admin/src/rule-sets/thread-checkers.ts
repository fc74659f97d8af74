import type { RuleChecker } from '@leeward/engine';
import type { LineSource } from '@leeward/engine/check-thread';

/** A checker of files for each tenant: tenants take turns on the threads. `signal` ends the checks of a caller that has gone. */
export type CheckerFor = (tenant: string, signal?: AbortSignal) => RuleChecker;

/**
 * Checks files on threads of the shared pool of the process. The pool is loaded with the first check.
 *
 * @example
 * const catalogs = createAccountCatalogs(catalog, accounts.directory, { checkerFor: threadCheckers() });
 */
export function threadCheckers(lineModules: readonly LineSource[] = []): CheckerFor {
  const open = async (tenant: string, signal?: AbortSignal): Promise<RuleChecker> => {
    const [{ createThreadChecker }, { sharedWorkerPool }] = await Promise.all([
      import('@leeward/engine/check-thread'),
      import('@leeward/worker-pool'),
    ]);
    return createThreadChecker({ pool: sharedWorkerPool(), tenant, signal, lineModules });
  };
  return (tenant, signal) => ({
    checkRuleSet: async (file, options) => (await open(tenant, signal)).checkRuleSet(file, options),
    checkOverride: async (file, of, vocabulary) => (await open(tenant, signal)).checkOverride(file, of, vocabulary),
  });
}
