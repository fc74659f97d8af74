import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierQueue, Delivery, JobRef, QueueBackend } from '../ports/queue-backend.ts';
import { eventually, type SuiteCase } from './suite.ts';
import { Tally } from './tally.ts';

/** Opened several times it is shared, as by several processes. */
export interface QueuePlace {
  open(): Promise<QueueBackend>;
  /** Opened backends are stopped before. */
  remove(): Promise<void>;
}

const carrierQueue = (key: string, concurrency: number): CarrierQueue => ({ key, concurrency, maxRunMs: 60_000 });
const jobs = (queueKey: string, count: number, from = 0): JobRef[] =>
  Array.from({ length: count }, (_, index) => ({ key: `${queueKey}-${from + index}-0`, queue: queueKey }));

/**
 * Tests of the contract of {@link QueueBackend}.
 *
 * More than 100 lines, because it lists independent cases.
 * @example
 * for (const { name, run } of queueBackendSuite(options)) it(name, run);
 */
export function queueBackendSuite(createPlace: () => Promise<QueuePlace>): SuiteCase[] {
  const inPlace = (work: (tools: Tools) => Promise<void>) => async () => {
    const place = await createPlace();
    const opened: QueueBackend[] = [];
    const tools: Tools = {
      place,
      async open() {
        const backend = await place.open();
        opened.push(backend);
        return backend;
      },
    };
    try {
      await work(tools);
    } finally {
      for (const backend of opened) await backend.stop({ graceMs: 0 });
      await place.remove();
    }
  };
  return [
    {
      name: 'delivers every job of every queue once',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const delivered = new Tally();
        await backend.start(
          [carrierQueue('alpha', 5), carrierQueue('beta', 1), carrierQueue('gamma', 20)],
          delivered.handler,
        );
        const expected = [...jobs('alpha', 100), ...jobs('beta', 20), ...jobs('gamma', 200)];
        await backend.enqueue(expected);
        await delivered.expect(expected);
      }),
    },
    {
      name: 'gives the handler the key, the queue and a signal',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const deliveries: Delivery[] = [];
        await backend.start([carrierQueue('alpha', 1)], async (delivery) => void deliveries.push(delivery));
        const key = '0198f2c1-7a2b-7c3d-8e4f-0123456789ab-7';
        await backend.enqueue([{ key, queue: 'alpha' }]);
        await eventually(
          () => deliveries.length === 1,
          () => `${deliveries.length} deliveries`,
        );
        assert.equal(deliveries[0]?.key, key);
        assert.equal(deliveries[0]?.queue, 'alpha');
        assert.equal(deliveries[0]?.signal.aborted, false);
      }),
    },
    {
      name: 'runs at most `concurrency` jobs of a queue at once',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const delivered = new Tally(() => sleep(30));
        await backend.start([carrierQueue('alpha', 4)], delivered.handler);
        const expected = jobs('alpha', 40);
        await backend.enqueue(expected);
        await delivered.expect(expected);
        assert.equal(delivered.maxConcurrent('alpha'), 4);
      }),
    },
    {
      name: 'runs each queue independently',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        const delivered = new Tally((delivery) => (delivery.queue === 'slow' ? released : Promise.resolve()));
        await backend.start([carrierQueue('slow', 2), carrierQueue('quick', 2)], delivered.handler);
        await backend.enqueue([...jobs('slow', 10), ...jobs('quick', 30)]);
        await delivered.expect(jobs('quick', 30), 'quick');
        release();
        await delivered.expect([...jobs('slow', 10), ...jobs('quick', 30)]);
      }),
    },
    {
      name: 'serves many carrier queues that start together over few connections',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const carrierQueues = Array.from({ length: 16 }, (_, index) => carrierQueue(`queue-${index}`, 2));
        const expected = carrierQueues.flatMap(({ key }) => jobs(key, 4));
        await backend.enqueue(expected);
        const other = await open();
        const delivered = new Tally();
        await Promise.all([backend, other].map((each) => each.start(carrierQueues, delivered.handler)));
        await delivered.expect(expected);
      }),
    },
    {
      name: 'keeps jobs that were enqueued before it started',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const expected = jobs('alpha', 10);
        await backend.enqueue(expected);
        const delivered = new Tally();
        await backend.start([carrierQueue('alpha', 3)], delivered.handler);
        await delivered.expect(expected);
      }),
    },
    {
      name: 'accepts a key once while its job waits or runs, and again afterwards',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        const delivered = new Tally(() => released);
        await backend.start([carrierQueue('alpha', 1)], delivered.handler);
        const expected = jobs('alpha', 2);
        await backend.enqueue(expected);
        await eventually(
          () => delivered.started === 1,
          () => `${delivered.started} started`,
        );
        await Promise.all([backend.enqueue(expected), backend.enqueue(expected)]);
        await backend.enqueue(expected);
        release();
        await delivered.expect(expected);
        await eventually(
          async () => {
            await backend.enqueue(expected.slice(0, 1));
            return delivered.count(expected[0]!.key) > 1;
          },
          () => 'a finished key was not taken again',
        );
      }),
    },
    {
      name: 'accepts the same key in each queue',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const queues: string[] = [];
        const carrierQueues = ['alpha', 'beta', 'gamma'].map((key) => carrierQueue(key, 1));
        await backend.start(carrierQueues, async ({ queue }) => void queues.push(queue));
        await backend.enqueue(carrierQueues.map(({ key }) => ({ key: 'the-same', queue: key })));
        await eventually(
          () => queues.length === 3,
          () => `delivered in ${queues.join(', ')}`,
        );
      }),
    },
    {
      name: 'ends a job whose handler rejects, and continues',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const delivered = new Tally(async (delivery) => {
          if (delivery.key.endsWith('3-0')) throw new Error('this one fails');
        });
        await backend.start([carrierQueue('alpha', 2)], delivered.handler);
        const expected = jobs('alpha', 20);
        await backend.enqueue(expected);
        await delivered.expect(expected);
      }),
    },
    {
      name: 'accepts empty lists',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        await backend.start([carrierQueue('alpha', 1)], async () => {});
        await backend.enqueue([]);
      }),
    },
    {
      name: 'cannot be started twice',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        await backend.start([carrierQueue('alpha', 1)], async () => {});
        await assert.rejects(backend.start([carrierQueue('alpha', 1)], async () => {}));
      }),
    },
    {
      name: 'waits for handlers when stopping, and stops delivering',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        const aborted: boolean[] = [];
        const delivered = new Tally(async (delivery) => {
          await sleep(200);
          aborted.push(delivery.signal.aborted);
        });
        await backend.start([carrierQueue('alpha', 2)], delivered.handler);
        await backend.enqueue(jobs('alpha', 10));
        await eventually(
          () => delivered.started === 2,
          () => `${delivered.started} started`,
        );
        await backend.stop({ graceMs: 5000 });
        assert.deepEqual(aborted, [false, false]);
        await sleep(300);
        assert.equal(delivered.started, 2);
        await assert.rejects(backend.enqueue(jobs('alpha', 1, 100)));
      }),
    },
    {
      name: 'aborts the signals of slow handlers when stopping',
      run: inPlace(async ({ open }) => {
        const backend = await open();
        let reason: unknown;
        const delivered = new Tally(
          (delivery) =>
            new Promise((resolve) => {
              delivery.signal.addEventListener('abort', () => {
                reason = delivery.signal.reason;
                resolve();
              });
            }),
        );
        await backend.start([carrierQueue('alpha', 1)], delivered.handler);
        await backend.enqueue(jobs('alpha', 1));
        await eventually(
          () => delivered.started === 1,
          () => `${delivered.started} started`,
        );
        const start = performance.now();
        await backend.stop({ graceMs: 100 });
        assert.ok(reason !== undefined, 'the signal was not aborted');
        assert.ok(performance.now() - start < 5000, 'stopping took too long');
      }),
    },
    {
      name: 'answers a ping',
      run: inPlace(async ({ open }) => {
        await (await open()).ping?.();
      }),
    },
    {
      name: 'if durable: keeps jobs while no worker runs',
      run: inPlace(async ({ open }) => {
        const first = await open();
        if (!first.caps.durable) return;
        const expected = jobs('alpha', 10);
        await first.enqueue(expected);
        await first.stop({ graceMs: 0 });
        const delivered = new Tally();
        await (await open()).start([carrierQueue('alpha', 3)], delivered.handler);
        await delivered.expect(expected);
      }),
    },
    {
      name: 'if distributed: delivers each job to one process',
      run: inPlace(async ({ open }) => {
        const asking = await open();
        if (!asking.caps.distributed) return;
        const delivered = new Tally(() => sleep(20));
        const workers = [await open(), await open()];
        for (const worker of workers) await worker.start([carrierQueue('alpha', 3)], delivered.handler);
        const expected = jobs('alpha', 60);
        await asking.enqueue(expected);
        await delivered.expect(expected);
        assert.ok(
          delivered.maxConcurrent('alpha') <= 6,
          `${delivered.maxConcurrent('alpha')} ran at once; the limit is 6, 3 in each process`,
        );
      }),
    },
    {
      name: 'if distributed: frees its slots at once when it is stopped',
      run: inPlace(async ({ open }) => {
        const first = await open();
        if (!first.caps.distributed) return;
        const begun = new Tally(() => sleep(300));
        await first.start([carrierQueue('alpha', 2)], begun.handler);
        await first.enqueue(jobs('alpha', 2));
        await eventually(
          () => begun.started === 2,
          () => `${begun.started} started`,
        );
        await first.stop({ graceMs: 5000 });
        const { promise: both, resolve } = Promise.withResolvers<void>();
        const delivered: Tally = new Tally(async () => {
          if (delivered.started === 2) resolve();
          await both;
        });
        const second = await open();
        await second.start([carrierQueue('alpha', 2)], delivered.handler);
        await second.enqueue(jobs('alpha', 2, 10));
        const start = performance.now();
        await eventually(
          () => delivered.started === 2,
          () => `${delivered.started} of 2 started at once`,
        );
        assert.ok(performance.now() - start < 5000, 'the places were not free for a while');
      }),
    },
  ];
}

interface Tools {
  readonly place: QueuePlace;
  open(): Promise<QueueBackend>;
}
