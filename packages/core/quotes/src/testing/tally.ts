import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, JobRef } from '../ports/queue-backend.ts';
import { eventually } from './suite.ts';

export class Tally {
  readonly #work: (delivery: Delivery) => Promise<void>;
  readonly #counts = new Map<string, number>();
  readonly #finished: Delivery[] = [];
  readonly #active = new Map<string, number>();
  readonly #max = new Map<string, number>();
  started = 0;

  constructor(work: (delivery: Delivery) => Promise<void> = async () => {}) {
    this.#work = work;
  }

  readonly handler = async (delivery: Delivery): Promise<void> => {
    this.started++;
    this.#counts.set(delivery.key, this.count(delivery.key) + 1);
    const active = (this.#active.get(delivery.queue) ?? 0) + 1;
    this.#active.set(delivery.queue, active);
    this.#max.set(delivery.queue, Math.max(active, this.maxConcurrent(delivery.queue)));
    try {
      await this.#work(delivery);
    } finally {
      this.#active.set(delivery.queue, this.#active.get(delivery.queue)! - 1);
      this.#finished.push(delivery);
    }
  };

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  maxConcurrent(queue: string): number {
    return this.#max.get(queue) ?? 0;
  }

  /** Waits for all expected jobs, then checks that none was delivered twice. */
  async expect(expected: readonly JobRef[], queue?: string): Promise<void> {
    const finished = () => this.#finished.filter((each) => queue === undefined || each.queue === queue);
    await eventually(
      () => finished().length >= expected.length,
      () => `${finished().length} of ${expected.length} delivered`,
    );
    await sleep(100);
    const keys = finished().map((each) => each.key);
    assert.deepEqual(keys.toSorted(), expected.map((job) => job.key).toSorted());
  }
}
