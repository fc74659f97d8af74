import type { QueueBackend } from '@leeward/quotes';
import { importDefault } from '../carriers/own-adapters.ts';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';

/**
 * A custom queue: the default export of a module, a `QueueBackend` or a function that returns one.
 *
 * @param path Absolute path.
 * @throws {CommandError} that names the file and what it lacks.
 */
export async function loadOwnQueue(path: string, folder: string): Promise<QueueBackend> {
  const file = nearPath(path, folder);
  const queue = ((await importDefault(path, file)) ?? {}) as Partial<QueueBackend>;
  const lacks = missingOf(queue);
  if (lacks !== undefined) {
    throw new CommandError(
      `${file} exports no queue: it has no ${lacks}. Write "export default queue", an object with caps, start, enqueue and stop.`,
    );
  }
  const backend = queue as QueueBackend;
  try {
    await backend.ping?.();
  } catch (error) {
    await backend.stop({ graceMs: 0 });
    throw new CommandError(
      `The queue of ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return backend;
}

function missingOf(queue: Partial<QueueBackend>): string | undefined {
  const { caps } = queue;
  if (typeof caps !== 'object' || caps === null) return 'caps, an object';
  for (const name of ['durable', 'distributed'] as const) {
    if (typeof caps[name] !== 'boolean') return `caps.${name}, true or false`;
  }
  return (['start', 'enqueue', 'stop'] as const).find((name) => typeof queue[name] !== 'function');
}
