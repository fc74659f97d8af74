/** Reads lines of a key and a number, takes that often from the key in Redis at once, and prints the successes. */
import { createInterface } from 'node:readline';
import { createRedisRateLimitStore } from '../rate-limit/redis-store.ts';

const [url = '', prefix = '', perMinute = '', burst = ''] = process.argv.slice(2);
const store = await createRedisRateLimitStore({ url, prefix });
const limit = { perMinute: Number(perMinute), burst: Number(burst) };
for await (const line of createInterface({ input: process.stdin })) {
  const [key = '', times = ''] = line.split(' ');
  const takes = Array.from({ length: Number(times) }, () => store.take([{ key, limit, units: 1 }]));
  const allowed = (await Promise.all(takes)).filter(([decision]) => decision?.allowed);
  process.stdout.write(`${allowed.length}\n`);
}
store.close();
