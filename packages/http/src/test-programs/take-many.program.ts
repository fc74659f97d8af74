/** Takes from a counter in Redis until it has been refused fifty times, and prints how often it was not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisRateLimitStore } from '../rate-limit/redis-store.ts';

const [url = '', prefix = '', perMinute = '', burst = ''] = process.argv.slice(2);
const store = await createRedisRateLimitStore({ url, prefix });
const limit = { perMinute: Number(perMinute), burst: Number(burst) };
// Both processes begin once both are there.
while ((await store.take('ready', { perMinute: 1, burst: 2 })).remaining > 0) await sleep(5);
let allowed = 0;
for (let refused = 0; refused < 50; ) {
  if ((await store.take('shared', limit)).allowed) allowed++;
  else refused++;
  await sleep(1);
}
process.stdout.write(String(allowed));
store.close();
