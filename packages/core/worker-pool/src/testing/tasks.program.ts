import type { MessagePort } from 'node:worker_threads';
import { threadId } from 'node:worker_threads';

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

export function thread(): number {
  return threadId;
}

export async function rest(ms: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return threadId;
}

export function spin(): never {
  for (;;);
}

export function fail(message: string): never {
  throw new RangeError(message);
}

export function fillMemory(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => index + Math.random()));
}

export async function double({ port }: { port: MessagePort }): Promise<string> {
  return new Promise((resolve) => {
    port.on('message', (number: number | null) => {
      if (number === null) {
        port.close();
        resolve('done');
      } else port.postMessage(2 * number);
    });
  });
}
