import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';
import type { ChaosOrders, ChaosSettings } from './chaos-settings.ts';

/** Worker processes for all these queues, replaced when they die. Clocks: right, two minutes ahead, two minutes behind. */
export function createFleet(queues: readonly ChaosSettings[], workers = 3) {
  const program = fileURLToPath(new URL('./chaos-worker.program.ts', import.meta.url));
  const ports = new Map<ChildProcess, number>();
  const starts = new Map<ChildProcess, Promise<void>>();
  const spawnWorker = (index: number): ChildProcess => {
    const clockOffsetMs = [0, 120_000, -120_000][index] ?? 0;
    const orders: ChaosOrders = { queues, clockOffsetMs };
    const child = spawn(process.execPath, [...nodeFlags, program, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', process.env.LEEWARD_CHAOS_VERBOSE === '1' ? 'inherit' : 'ignore'],
    });
    const started = new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', (output: Buffer) => {
        ports.set(child, Number(/working (\d+)/.exec(String(output))?.[1]));
        resolve();
      });
      child.once('exit', (code) => reject(new Error(`A worker ended with ${code} before it had starts.`)));
    });
    started.catch(() => {});
    starts.set(child, started);
    child.once('exit', () => {
      ports.delete(child);
      if (!dismissed.has(child)) crashes++;
    });
    return child;
  };
  const dismissed = new Set<ChildProcess>();
  let crashes = 0;
  const children = Array.from({ length: workers }, (_, index) => spawnWorker(index));
  const ended = (child: ChildProcess) =>
    new Promise<void>((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
    );
  return {
    crashes: () => crashes,
    addresses: (queueName: string): readonly string[] =>
      [...ports.values()].map((port) => `http://127.0.0.1:${port}/${queueName}`),
    async started() {
      await Promise.all(children.map((child) => starts.get(child)));
    },
    async kill(random: () => number) {
      const index = Math.floor(random() * workers);
      dismissed.add(children[index]!);
      children[index]!.kill('SIGKILL');
      await ended(children[index]!);
      await sleep(100 + random() * 300);
      children[index] = spawnWorker(index);
    },
    async pause(random: () => number, durationMs: number) {
      const child = children[Math.floor(random() * workers)]!;
      child.kill('SIGSTOP');
      await sleep(durationMs);
      child.kill('SIGCONT');
    },
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          dismissed.add(child);
          child.kill('SIGCONT');
          child.kill('SIGTERM');
          const timer = setTimeout(() => child.kill('SIGKILL'), 8000);
          await ended(child);
          clearTimeout(timer);
        }),
      );
    },
  };
}
