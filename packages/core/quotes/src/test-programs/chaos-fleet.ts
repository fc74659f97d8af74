import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';
import type { ChaosOrders, ChaosSettings } from './chaos-settings.ts';

/**
 * Worker processes, each at work on all these queues, replaced when they die. Their clocks are right, two minutes ahead, and two
 * minutes behind.
 */
export function createFleet(queues: readonly ChaosSettings[], workers = 3) {
  const program = fileURLToPath(new URL('./chaos-worker.program.ts', import.meta.url));
  /** Port of each process for events, once it has started. */
  const doors = new Map<ChildProcess, number>();
  const begun = new Map<ChildProcess, Promise<void>>();
  const spawnWorker = (index: number): ChildProcess => {
    const clockOffsetMs = [0, 120_000, -120_000][index] ?? 0;
    const orders: ChaosOrders = { queues, clockOffsetMs };
    const child = spawn(process.execPath, [...nodeFlags, program, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', process.env.LEEWARD_CHAOS_VERBOSE === '1' ? 'inherit' : 'ignore'],
    });
    // Listened for from the start: who asks later may be too late.
    const hasBegun = new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', (said: Buffer) => {
        doors.set(child, Number(/working (\d+)/.exec(String(said))?.[1]));
        resolve();
      });
      child.once('exit', (code) => reject(new Error(`A worker ended with ${code} before it had begun.`)));
    });
    hasBegun.catch(() => {});
    begun.set(child, hasBegun);
    child.once('exit', () => {
      doors.delete(child);
      if (!dismissed.has(child)) crashes++;
    });
    return child;
  };
  /** Those that are killed or stopped on purpose. */
  const dismissed = new Set<ChildProcess>();
  let crashes = 0;
  const children = Array.from({ length: workers }, (_, index) => spawnWorker(index));
  const gone = (child: ChildProcess) =>
    new Promise<void>((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
    );
  return {
    crashes: () => crashes,
    /** Addresses for events of this queue's quotes. */
    doors: (queueName: string): readonly string[] =>
      [...doors.values()].map((port) => `http://127.0.0.1:${port}/${queueName}`),
    async started() {
      await Promise.all(children.map((child) => begun.get(child)));
    },
    async kill(random: () => number) {
      const index = Math.floor(random() * workers);
      dismissed.add(children[index]!);
      children[index]!.kill('SIGKILL');
      await gone(children[index]!);
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
          await gone(child);
          clearTimeout(timer);
        }),
      );
    },
  };
}
