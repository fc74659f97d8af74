import {
  type CoastAnswer,
  type CoastDefinitionInput,
  CoastError,
  type CoverageBox,
  type GeographicPoint,
  isCovered,
  metersToBorder,
} from '@leeward/coast';
import { type CoastPort, nearestShore } from './coast-port.ts';
import { USUAL_LAYER } from './usual-layer.ts';

/**
 * Serves several coastlines as one, each layer by its name. Where several have a layer, the first of them answers within its coverage,
 * and the next ones beyond it: the shore of the layer is the first one's as far as that is covered, and the next one's from there on.
 *
 * Throws a `CoastError` `invalid_option` for no coastline, and for one without coverage before another that shares a layer with it:
 * it would answer for the whole world, and the other one never.
 */
export function createServedCoast(coasts: readonly CoastPort[]): CoastPort {
  const [first] = coasts;
  if (first === undefined) throw new CoastError('invalid_option', 'no coastline was given: name at least one');
  checkShadows(coasts);
  if (coasts.length === 1) return first;
  return {
    datasets: coasts.flatMap(({ datasets }) => datasets),
    nearest(point, definition = USUAL_LAYER) {
      const answering = coasts.filter((coast) => hasLayers(coast, definition));
      return nearestOf(answering.length === 0 ? [first] : answering, point, definition);
    },
  };
}

function nearestOf(
  coasts: readonly CoastPort[],
  point: GeographicPoint,
  definition: CoastDefinitionInput,
): CoastAnswer {
  const [coast, ...others] = coasts;
  if (others.length === 0) return nearestShore(coast!, point, definition);
  const boxes = coast!.datasets.flatMap(({ coverage }) => coverage);
  let answer: CoastAnswer;
  try {
    answer = nearestShore(coast!, point, definition);
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    return nearestOf(others, point, definition);
  }
  const border = metersToBorder(boxes, point);
  if (answer.distanceMeters <= border) return answer;
  return beyondBorder(answer, border, boxes, () => nearestOf(others, point, definition));
}

/** Beyond the border of what one coastline covers, another one may know a nearer shore. */
function beyondBorder(
  answer: CoastAnswer,
  borderMeters: number,
  boxes: readonly CoverageBox[],
  askOther: () => CoastAnswer,
): CoastAnswer {
  let other: CoastAnswer;
  try {
    other = askOther();
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    return { ...answer, minMeters: Math.min(answer.minMeters, borderMeters) };
  }
  if (other.distanceMeters >= answer.distanceMeters) return answer;
  if (!isCovered(boxes, other.coast.latitude, other.coast.longitude)) return other;
  // The other one's shore lies where this one knows better; what lies beyond the border is no nearer than that.
  return { ...answer, minMeters: Math.min(answer.minMeters, borderMeters) };
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof CoastError && (error.code === 'outside_coverage' || error.code === 'no_shore');
}

function layersOf({ datasets }: CoastPort): Set<string> {
  return new Set(datasets.flatMap(({ layerNames }) => layerNames));
}

function hasLayers(coast: CoastPort, definition: CoastDefinitionInput): boolean {
  const layers = layersOf(coast);
  return (typeof definition === 'string' ? [definition] : definition.layers).every((layer) => layers.has(layer));
}

function checkShadows(coasts: readonly CoastPort[]): void {
  coasts.forEach((coast, index) => {
    if (coast.datasets.every(({ coverage }) => coverage.length > 0)) return;
    const layers = layersOf(coast);
    for (const other of coasts.slice(index + 1)) {
      const shared = [...layersOf(other)].find((layer) => layers.has(layer));
      if (shared === undefined) continue;
      const [name, otherName] = [coast, other].map(({ datasets }) => datasets[0]!.name);
      throw new CoastError(
        'invalid_option',
        `${name} does not say where it holds all of the shore, so ${otherName} would never answer ${JSON.stringify(shared)}: build ${name} with its coverage, give its layer another name, or leave ${otherName} out`,
      );
    }
  });
}
