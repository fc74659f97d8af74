/** Removes every key that begins with this prefix and a colon: what a restart does to a Redis without persistence. */
export async function forgetRedis(url: string, prefix: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  const keys = await client.keys(`${prefix}:*`);
  if (keys.length > 0) await client.del(keys);
  client.disconnect();
}
