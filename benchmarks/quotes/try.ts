import { barePerSecond } from './bare.ts';
import { oursPerSecond, type BackendName } from './ours.ts';
const names = (process.argv[3] ?? 'p-queue,bullmq,pg-boss').split(',') as BackendName[];
for (const latencyMs of (process.argv[2] ?? '500,50').split(',').map(Number)) for (const name of names) {
  const load = { jobs: 3000, latencyMs, concurrency: 200 };
  const bare = await barePerSecond(name, load);
  const cpu = process.cpuUsage();
  const ours = await oursPerSecond(name, load);
  const used = process.cpuUsage(cpu);
  console.log(latencyMs, name, 'ours', ours.toFixed(0), 'bare', bare.toFixed(0), (ours / bare).toFixed(3), 'cpu s', ((used.user+used.system)/1e6).toFixed(1));
}
process.exit(0);
