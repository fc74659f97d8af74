/**
 * Cost before the first answer of a process: `cold.ts index|shoreline FILE LATITUDE LONGITUDE` prints milliseconds as
 * JSON.
 */
import { readFileSync } from 'node:fs';
import { buildCoastIndex, createCoast, decodeShoreline, openCoastIndex } from '@leeward/coast';

const [form, file = '', latitude, longitude] = process.argv.slice(2);
const start = performance.now();
const bytes = readFileSync(file);
const read = performance.now();
const index = form === 'index' ? openCoastIndex(bytes) : buildCoastIndex(decodeShoreline(bytes));
const opened = performance.now();
const answer = createCoast(index).nearest({ latitude: Number(latitude), longitude: Number(longitude) });
const answered = performance.now();
console.log(
  JSON.stringify({
    readMs: read - start,
    openMs: opened - read,
    firstAnswerMs: answered - opened,
    // From the start of the process, loading of the package included.
    processMs: answered,
    meters: answer.distanceMeters,
  }),
);
