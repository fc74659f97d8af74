import type { Client, ClientConfig } from 'pg';

const AGAIN_AFTER_MS = 1000;

/**
 * Reconnects after a loss. Calls `onMissed` whenever notifications may be lost.
 *
 * @returns a function that stops listening
 */
export async function listen(
  connect: { readonly Client: new (config: ClientConfig) => Client; readonly url: string },
  channel: string,
  { onMessage, onMissed }: { onMessage: (message: string) => void; onMissed: () => void },
): Promise<() => Promise<void>> {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const again = (lost: Client) => {
    if (ended || client !== lost) return;
    client = undefined;
    void lost.end().catch(() => {});
    timer = setTimeout(() => void begin(), AGAIN_AFTER_MS).unref();
  };
  const begin = async () => {
    const opened = new connect.Client({
      connectionString: connect.url,
      application_name: 'leeward listens',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    client = opened;
    opened.on('error', () => again(opened));
    opened.on('end', () => again(opened));
    opened.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await opened.connect();
      await opened.query(`listen "${channel.replaceAll('"', '""')}"`);
      onMissed();
    } catch {
      again(opened);
    }
  };
  await begin();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  };
}
