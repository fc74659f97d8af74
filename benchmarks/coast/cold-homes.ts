/**
 * Cost of the first 10,000 coastal homes in a fresh process: `cold-homes.ts COORDINATES all|each both|shores|gshhg`
 * prints microseconds per home as JSON, wall-clock and processor time, and the longest single call.
 */
import { readFileSync } from 'node:fs';
import { createCoastBatch } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';

const [file = '', call, data] = process.argv.slice(2);
const bytes = readFileSync(file);
const coordinates = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
const count = coordinates.length / 2;
const latitudes = coordinates.subarray(0, count);
const longitudes = coordinates.subarray(count);
const coast =
  data === 'both'
    ? loadCoastlineUs()
    : data === 'shores'
      ? loadCoastlineUs({ tidalWaters: false })
      : loadCoastlineUs({ sources: ['gshhg'], tidalWaters: false });
/** Processor time of this thread, in microseconds. Excludes compiler threads and other processes. */
const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

const cpu = processorTime();
const start = performance.now();
let longestMs = 0;
let sum = 0;
if (call === 'all') {
  const batch = createCoastBatch(count);
  coast.nearestMany({ latitudes, longitudes }, { batch });
  sum = batch.distancesMeters.reduce((total, meters) => total + meters, 0);
} else {
  for (let at = 0; at < count; at++) {
    const before = processorTime();
    sum += coast.nearest({ latitude: latitudes[at]!, longitude: longitudes[at]! }).distanceMeters;
    longestMs = Math.max(longestMs, (processorTime() - before) / 1000);
  }
}
const microseconds = ((performance.now() - start) * 1000) / count;
console.log(JSON.stringify({ microseconds, cpuMicroseconds: (processorTime() - cpu) / count, longestMs, sum }));
