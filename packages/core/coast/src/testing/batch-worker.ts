import { workerData } from 'node:worker_threads';
import { type CoastBatch, sliceCoastBatch } from '../answer/coast-batch.ts';
import { createCoast } from '../answer/create-coast.ts';
import { openCoastIndex } from '../search/coast-index-file.ts';

const { shared, latitudes, longitudes, batch, from, to } = workerData as {
  shared: SharedArrayBuffer;
  latitudes: Float64Array;
  longitudes: Float64Array;
  batch: CoastBatch;
  from: number;
  to: number;
};

createCoast(openCoastIndex(new Uint8Array(shared))).nearestMany(
  { latitudes: latitudes.subarray(from, to), longitudes: longitudes.subarray(from, to) },
  { batch: sliceCoastBatch(batch, from, to) },
);
