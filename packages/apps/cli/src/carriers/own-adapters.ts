import { pathToFileURL } from 'node:url';
import { type CarrierAdapter, type VerdictSource, withVerdict } from '@leeward/quotes';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';

/**
 * Loads custom carrier adapters: the default export of a module, a list or a function that returns one. Carriers with rule sets are
 * evaluated before they are called.
 *
 * @param files Absolute paths.
 * @throws {CommandError} Names the file and its fault.
 */
export async function loadOwnAdapters(
  files: readonly string[],
  options: {
    readonly folder: string;
    readonly verdictSource: VerdictSource;
    /** Keys of carriers from other files. */
    readonly reservedKeys: Iterable<string>;
  },
): Promise<CarrierAdapter[]> {
  const usedKeys = new Set(options.reservedKeys);
  const adapters: CarrierAdapter[] = [];
  for (const path of files) {
    const file = nearPath(path, options.folder);
    for (const adapter of await importAdapters(path, file)) {
      if (usedKeys.has(adapter.key)) {
        throw new CommandError(`${file}: the carrier ${adapter.key} already has another adapter; keep one of them.`);
      }
      usedKeys.add(adapter.key);
      adapters.push(withVerdict(adapter, options.verdictSource));
    }
  }
  return adapters;
}

export async function importAdapters(path: string, file: string): Promise<CarrierAdapter[]> {
  const exported = await importDefault(path, file);
  const list: unknown[] = Array.isArray(exported) ? exported : [];
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

/** A default export, or its result if it is a function. Throws a `CommandError` that names the file. */
export async function importDefault(path: string, file: string): Promise<unknown> {
  try {
    const { default: exported } = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return typeof exported === 'function' ? await (exported as () => unknown)() : exported;
  } catch (error) {
    throw new CommandError(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function missingOf(value: unknown): string | undefined {
  const adapter = (value ?? {}) as Partial<CarrierAdapter>;
  if (typeof adapter.key !== 'string') return 'key, a text as bayou_mutual';
  if (typeof adapter.name !== 'string') return 'name, a text';
  if (!Array.isArray(adapter.offers)) return 'offers, a list';
  if (typeof adapter.idempotent !== 'boolean') return 'idempotent, true or false';
  if (typeof adapter.quote !== 'function') return 'quote(request, context)';
  return undefined;
}
