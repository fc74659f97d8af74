import { expect, it } from 'vitest';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';

it('starts at the second try if the queue was unavailable at the first', async () => {
  const backend = createPQueueBackend();
  let isAway = true;
  const queue: typeof backend = {
    ...backend,
    async start(queues, handler) {
      if (isAway) throw new Error('The queue is away.');
      await backend.start(queues, handler);
    },
  };
  await using bench = await createBench(engines[0]!, [scriptedCarrier(async () => quotedAt(184_350n))], {
    queue,
    work: false,
  });
  await expect(bench.quotes.start()).rejects.toThrow('The queue is away.');
  isAway = false;
  await bench.quotes.start();
  await expect(bench.quotes.start()).rejects.toThrow('already started');
  const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
  expect((await bench.completed(id)).rates).toMatchObject([{ status: 'success', premium: '1843.50' }]);
});

it('quotes although the listener throws', async () => {
  const listener = () => {
    throw new Error('The log is full.');
  };
  await using bench = await createBench(engines[0]!, [scriptedCarrier(async () => quotedAt(184_350n))], { listener });
  const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
  expect((await bench.completed(id)).rates).toMatchObject([{ status: 'success', attempts: 1 }]);
});
