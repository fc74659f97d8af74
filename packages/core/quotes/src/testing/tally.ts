import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, JobRef } from '../ports/queue-backend.ts';
import { eventually } from './suite.ts';

/** Counts deliveries. */
export class Tally {
  readonly #work: (delivery: Delivery) => Promise<void>;
  readonly #counts = new Map<string, number>();
  readonly #finished: Delivery[] = [];
  readonly #active = new Map<string, number>();
  readonly #most = new Map<string, number>();
  started = 0;

  constructor(work: (delivery: Delivery) => Promise<void> = async () => {}) {
    this.#work = work;
  }

  readonly handler = async (delivery: Delivery): Promise<void> => {
    this.started++;
    this.#counts.set(delivery.key, this.count(delivery.key) + 1);
    const active = (this.#active.get(delivery.queue) ?? 0) + 1;
    this.#active.set(delivery.queue, active);
    this.#most.set(delivery.queue, Math.max(active, this.mostAtOnce(delivery.queue)));
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

  mostAtOnce(laneKey: string): number {
    return this.#most.get(laneKey) ?? 0;
  }

  /** All of these are delivered (of one lane, if named), and none twice; a moment later it is still so. */
  async expect(wanted: readonly JobRef[], laneKey?: string): Promise<void> {
    const finished = () => this.#finished.filter((each) => laneKey === undefined || each.queue === laneKey);
    await eventually(
      () => finished().length >= wanted.length,
      () => `${finished().length} of ${wanted.length} delivered`,
    );
    await sleep(100);
    const keys = finished().map((each) => each.key);
    assert.deepEqual(keys.toSorted(), wanted.map((job) => job.key).toSorted());
  }
}
