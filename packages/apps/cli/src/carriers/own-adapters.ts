import { pathToFileURL } from 'node:url';
import { type CarrierAdapter, type VerdictSource, withVerdict } from '@leeward/quotes';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';

/**
 * Carrier adapters written by whoever runs the service: the default export of a module, TypeScript or JavaScript, a list of
 * them or a function that makes one. Carriers with rules among the rule sets are asked behind them.
 *
 * @param files absolute paths.
 * @throws {CommandError} that names the file and what it lacks.
 */
export async function loadOwnAdapters(
  files: readonly string[],
  options: {
    readonly folder: string;
    readonly judge: VerdictSource;
    /** Keys that are taken by carriers of other files. */
    readonly taken: Iterable<string>;
  },
): Promise<CarrierAdapter[]> {
  const taken = new Set(options.taken);
  const adapters: CarrierAdapter[] = [];
  for (const path of files) {
    const file = nearPath(path, options.folder);
    for (const adapter of await importAdapters(path, file)) {
      if (taken.has(adapter.key)) {
        throw new CommandError(`${file}: the carrier ${adapter.key} already has another adapter; keep one of them.`);
      }
      taken.add(adapter.key);
      adapters.push(withVerdict(adapter, options.judge));
    }
  }
  return adapters;
}

export async function importAdapters(path: string, file: string): Promise<CarrierAdapter[]> {
  const given = await importDefault(path, file);
  const list: unknown[] = Array.isArray(given) ? given : [];
  if (list.length === 0) {
    throw new CommandError(
      `${file} exports no carrier adapters: write "export default [adapter]", each an object with key, name, offers, idempotent and quote.`,
    );
  }
  list.forEach((each, index) => {
    const lacks = missingOf(each);
    if (lacks !== undefined) throw new CommandError(`${file}: carrier adapter ${index + 1} has no ${lacks}.`);
  });
  return list as CarrierAdapter[];
}

/** The default export of a module, or what it makes where it is a function. Throws a `CommandError` that names the file. */
export async function importDefault(path: string, file: string): Promise<unknown> {
  try {
    const { default: given } = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return typeof given === 'function' ? await (given as () => unknown)() : given;
  } catch (error) {
    throw new CommandError(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function missingOf(given: unknown): string | undefined {
  const adapter = (given ?? {}) as Partial<CarrierAdapter>;
  if (typeof adapter.key !== 'string') return 'key, a text as bayou_mutual';
  if (typeof adapter.name !== 'string') return 'name, a text';
  if (!Array.isArray(adapter.offers)) return 'offers, a list';
  if (typeof adapter.idempotent !== 'boolean') return 'idempotent, true or false';
  if (typeof adapter.quote !== 'function') return 'quote(request, context)';
  return undefined;
}
