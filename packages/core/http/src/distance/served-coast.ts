import {
  type CoastAnswerFields,
  type CoastDefinitionInput,
  CoastError,
  type CoverageBox,
  type GeographicPoint,
  isCovered,
  metersToBorder,
  toPoint,
} from '@leeward/coast';
import { type CoastPort, changeAnswer, nearestShore, USUAL_LAYER } from './coast-port.ts';

/**
 * Joins coastlines. The first one with a layer answers within its coverage, the next beyond it.
 *
 * @throws {CoastError} `invalid_option` without a coastline, or if one would never answer
 *
 * @example
 * const coast = createServedCoast([ownCoast, loadCoastlineUs()]);
 */
export function createServedCoast(coasts: readonly CoastPort[]): CoastPort {
  const [first] = coasts;
  if (first === undefined) throw new CoastError('invalid_option', 'there is no coastline: pass at least one');
  checkShadows(coasts);
  if (coasts.length === 1) return first;
  return {
    datasets: coasts.flatMap(({ datasets }) => datasets),
    nearest(input, definition = USUAL_LAYER) {
      const point = toPoint(input);
      const answering = coasts.filter((coast) => hasLayers(coast, definition));
      return nearestOf(answering.length === 0 ? [first] : answering, point, definition);
    },
  };
}

function nearestOf(
  coasts: readonly CoastPort[],
  point: GeographicPoint,
  definition: CoastDefinitionInput,
): CoastAnswerFields {
  const [coast, ...others] = coasts;
  if (others.length === 0) return nearestShore(coast!, point, definition);
  const boxes = coast!.datasets.flatMap(({ coverage }) => coverage);
  let answer: CoastAnswerFields;
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

/** Another coastline may be nearer, beyond this coverage. */
function beyondBorder(
  answer: CoastAnswerFields,
  borderMeters: number,
  boxes: readonly CoverageBox[],
  findOther: () => CoastAnswerFields,
): CoastAnswerFields {
  let other: CoastAnswerFields;
  try {
    other = findOther();
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    return changeAnswer(answer, { minMeters: Math.min(answer.minMeters, borderMeters) });
  }
  if (other.distanceMeters >= answer.distanceMeters) return answer;
  if (!isCovered(boxes, other.coast.latitude, other.coast.longitude)) return other;
  // Within this coverage its shores are authoritative; a shore beyond is at least as far as the border.
  return changeAnswer(answer, { minMeters: Math.min(answer.minMeters, borderMeters) });
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
        `${name} has no coverage, so ${otherName} would never answer ${JSON.stringify(shared)}: build ${name} with its coverage, rename its layer, or omit ${otherName}`,
      );
    }
  });
}
