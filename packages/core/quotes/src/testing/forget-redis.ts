/**
 * Deletes keys with this prefix and a colon, like a restart without persistence.
 * @example
 * await forgetRedis('redis://127.0.0.1:6379', 'leeward_test');
 */
export async function forgetRedis(url: string, prefix: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  const keys = await client.keys(`${prefix}:*`);
  if (keys.length > 0) await client.del(keys);
  client.disconnect();
}
