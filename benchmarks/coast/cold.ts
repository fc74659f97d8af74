/**
 * Cost before the first answer of a process: `cold.ts index|shoreline|flatbush|shipped FILE LATITUDE LONGITUDE` prints
 * milliseconds as JSON. `shipped` is `loadCoastlineUs()`, without FILE.
 */
import { readFileSync } from 'node:fs';
import { buildCoastIndex, createCoast, decodeShoreline, openCoastIndex } from '@leeward/coast';

const [form, file = '', latitude, longitude] = process.argv.slice(2);
const start = performance.now();
const bytes = readFileSync(file);
const read = performance.now();
const nearest = await open();
const opened = performance.now();
const meters = nearest(Number(latitude), Number(longitude));
const answered = performance.now();
console.log(
  JSON.stringify({
    readMs: read - start,
    openMs: opened - read,
    firstAnswerMs: answered - opened,
    // From the start of the process, loading of the package included.
    processMs: answered,
    meters,
  }),
);

/** Loads only what it uses. */
async function open(): Promise<(latitude: number, longitude: number) => number> {
  if (form === 'flatbush') {
    const { createFlatbushExact } = await import('./peers/flatbush-exact.ts');
    const peer = createFlatbushExact(decodeShoreline(bytes));
    return (latitude, longitude) => {
      const round = peer.run({ latitudes: Float64Array.of(latitude), longitudes: Float64Array.of(longitude) });
      return round.meters[0]!;
    };
  }
  const coast =
    form === 'shipped'
      ? (await import('@leeward/coastline-us')).loadCoastlineUs()
      : createCoast(form === 'index' ? openCoastIndex(bytes) : buildCoastIndex(decodeShoreline(bytes)));
  return (latitude, longitude) => coast.nearest({ latitude, longitude }).distanceMeters;
}
