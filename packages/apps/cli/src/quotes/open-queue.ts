import type { QueueBackend } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { CommandError } from '../command-error.ts';
import { isMissingPackage } from '../user-mistake.ts';

/**
 * Opens the queue of `LEEWARD_QUEUE_URL`: `redis://…` is BullMQ, `postgres://…` is pg-boss, otherwise in this process. `?prefix=…`
 * (Redis) or `?schema=…` (PostgreSQL) separates installations. @returns undefined for `none`: workers only poll.
 *
 * @param onError Called with background errors.
 */
export async function openQueue(
  url: string | undefined,
  onError: (error: Error) => void,
): Promise<QueueBackend | undefined> {
  if (url === 'none') return undefined;
  if (url === undefined || url.startsWith('sqlite:')) return createPQueueBackend();
  let queue: QueueBackend | undefined;
  try {
    queue = await (url.startsWith('redis') ? openRedis(url, onError) : openPostgres(url, onError));
    await queue.ping?.();
    return queue;
  } catch (error) {
    await queue?.stop({ graceMs: 0 });
    throw error instanceof CommandError || isMissingPackage(error) ? error : unusable(error);
  }
}

async function openRedis(url: string, onError: (error: Error) => void): Promise<QueueBackend> {
  const { address, namespace } = takeNamespace(url, 'prefix');
  const { createBullMqBackend } = await import('@leeward/quotes/queues/bullmq');
  return createBullMqBackend({ url: address, prefix: namespace, onError });
}

async function openPostgres(url: string, onError: (error: Error) => void): Promise<QueueBackend> {
  const { address, namespace } = takeNamespace(url, 'schema');
  const { createPgBossBackend } = await import('@leeward/quotes/queues/pg-boss');
  return createPgBossBackend({ url: address, schema: namespace, onError });
}

/** Without the URL, which may contain a password. */
function unusable(error: unknown): CommandError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const what = typeof code === 'string' ? code : String(message).split('\n')[0]?.replace(/\.$/, '');
  return new CommandError(`The queue cannot be used (${what}); see LEEWARD_QUEUE_URL, and whether it is running.`);
}

/** Removes the namespace from the URL: drivers do not know it. */
function takeNamespace(url: string, name: 'prefix' | 'schema'): { address: string; namespace: string | undefined } {
  if (!URL.canParse(url))
    throw new CommandError('LEEWARD_QUEUE_URL is not a URL; escape special characters of its password.');
  const parsed = new URL(url);
  const namespaceText = parsed.searchParams.get(name) ?? undefined;
  if (namespaceText === undefined) return { address: url, namespace: namespaceText };
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(namespaceText)) {
    throw new CommandError(
      `LEEWARD_QUEUE_URL has ?${name}=${namespaceText.slice(0, 60)}; use up to 50 lower-case letters, digits and underscores.`,
    );
  }
  parsed.searchParams.delete(name);
  // A written blank would become a plus, which PostgreSQL keeps.
  return { address: parsed.href.replaceAll('+', '%20'), namespace: namespaceText };
}
