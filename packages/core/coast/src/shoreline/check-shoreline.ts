import { CoastError } from '../coast-error.ts';
import type { Shoreline } from './shoreline.ts';
import { checkShorelineHeader } from './shoreline-header.ts';

/** Throws `invalid_shoreline` for inconsistent lengths, order, ranges, layers or shores. */
export function checkShoreline(shoreline: Shoreline): void {
  checkShorelineHeader(shoreline);
  const { name, positions, lineStarts, layers, shores, classes, layerNames, shoreNames } = shoreline;
  const invalid = (message: string): CoastError => new CoastError('invalid_shoreline', `${name}: ${message}`);
  const count = positions.length / 2;
  if (!Number.isInteger(count))
    throw invalid(`positions holds ${positions.length} numbers: an odd count of longitudes and latitudes`);
  if (layers.length !== count) throw invalid(`layers holds ${layers.length} masks for ${count} vertices`);
  if (shores.length !== count) throw invalid(`shores holds ${shores.length} indices for ${count} vertices`);
  if (classes !== undefined && classes.length !== count) {
    throw invalid(`classes holds ${classes.length} classes for ${count} vertices`);
  }
  if (lineStarts.length === 0 || lineStarts[0] !== 0 || lineStarts[lineStarts.length - 1] !== count) {
    throw invalid(`lineStarts must begin with 0 and end with the number of vertices, ${count}`);
  }
  for (let line = 1; line < lineStarts.length; line++) {
    if (lineStarts[line]! < lineStarts[line - 1]!) {
      throw invalid(`lineStarts[${line}] is ${lineStarts[line]}, before the line that precedes it`);
    }
  }
  for (let vertex = 0; vertex < count; vertex++) {
    const longitude = positions[vertex * 2]!;
    const latitude = positions[vertex * 2 + 1]!;
    if (!(longitude >= -180 && longitude <= 180 && latitude >= -90 && latitude <= 90)) {
      throw invalid(`vertex ${vertex} at longitude ${longitude}, latitude ${latitude} is not on the earth`);
    }
    if (layers[vertex]! >>> layerNames.length !== 0) {
      throw invalid(`vertex ${vertex} has layers ${layers[vertex]}, but only ${layerNames.length} layers have a name`);
    }
    if (shores[vertex]! >= shoreNames.length) {
      throw invalid(`vertex ${vertex} has shore ${shores[vertex]}, but only ${shoreNames.length} shores have a name`);
    }
  }
}
