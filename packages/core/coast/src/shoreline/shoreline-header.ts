import { CoastError } from '../coast-error.ts';
import type { CoverageBox, ShorelineHeader } from './shoreline.ts';

/** A mask has 16 bits, a shore index 8. */
const MAX_LAYERS = 16;
const MAX_SHORES = 256;

/**
 * Returns a copy with exactly its fields. @throws CoastError `invalid_shoreline`, naming the field.
 * @example
 * const header = checkShorelineHeader(JSON.parse(text));
 */
export function checkShorelineHeader(value: unknown): ShorelineHeader {
  const header = record(value, 'the shoreline');
  const layerNames = names(header['layerNames'], 'layerNames', MAX_LAYERS);
  const shoreNames = names(header['shoreNames'], 'shoreNames', MAX_SHORES);
  const water = header['water'];
  if (water !== 'left' && water !== 'right' && water !== 'unknown') {
    throw invalid('water', water, `'left', 'right' or 'unknown'`);
  }
  const accuracy = record(header['accuracy'], 'accuracy');
  const radiusMeters = list(accuracy['radiusMeters'], 'accuracy.radiusMeters').map((radius, index) => {
    if (typeof radius === 'number' && radius >= 0 && radius < Number.POSITIVE_INFINITY) return radius;
    throw invalid(`accuracy.radiusMeters[${index}]`, radius, 'metres, zero or more');
  });
  if (radiusMeters.length !== layerNames.length) {
    throw invalid(
      'accuracy.radiusMeters',
      radiusMeters.length,
      `one radius for each of the ${layerNames.length} layers`,
    );
  }
  const probabilities = accuracy['probabilities'];
  return {
    name: text(header['name'], 'name'),
    version: text(header['version'], 'version'),
    attribution: text(header['attribution'], 'attribution'),
    layerNames,
    shoreNames,
    water,
    accuracy: {
      radiusMeters,
      ...(probabilities === undefined ? {} : { probabilities: checkProbabilities(probabilities, layerNames.length) }),
      method: text(accuracy['method'], 'accuracy.method'),
    },
    coverage: list(header['coverage'], 'coverage').map(coverageBox),
  };
}

function checkProbabilities(value: unknown, layers: number): number[] {
  const path = 'accuracy.probabilities';
  const probabilities = list(value, path).map((probability, index) => {
    if (typeof probability === 'number' && probability >= 0 && probability <= 1) return probability;
    throw invalid(`${path}[${index}]`, probability, 'a number from 0 to 1');
  });
  if (probabilities.length === layers) return probabilities;
  throw invalid(path, probabilities.length, `one probability for each of the ${layers} layers`);
}

function coverageBox(value: unknown, index: number): CoverageBox {
  const path = `coverage[${index}]`;
  const box = record(value, path);
  const side = (key: string, max: number): number => {
    const degrees = box[key];
    if (typeof degrees === 'number' && degrees >= -max && degrees <= max) return degrees;
    throw invalid(`${path}.${key}`, degrees, `degrees from -${max} to ${max}`);
  };
  const checked = {
    west: side('west', 180),
    south: side('south', 90),
    east: side('east', 180),
    north: side('north', 90),
  };
  if (checked.west > checked.east) {
    throw invalid(
      path,
      `west ${checked.west}, east ${checked.east}`,
      'west no greater than east: give two boxes across 180°',
    );
  }
  if (checked.south > checked.north) {
    throw invalid(path, `south ${checked.south}, north ${checked.north}`, 'south no greater than north');
  }
  return checked;
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(path, value, 'an object');
}

function list(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(path, value, 'a list');
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw invalid(path, value, 'text');
}

function names(value: unknown, path: string, max: number): string[] {
  const texts = list(value, path).map((name, index) => text(name, `${path}[${index}]`));
  if (texts.length === 0 || texts.length > max) throw invalid(path, texts.length, `one to ${max} names`);
  texts.forEach((name, index) => {
    if (texts.indexOf(name) !== index) throw invalid(`${path}[${index}]`, name, 'each name once');
  });
  return texts;
}

function invalid(path: string, received: unknown, expected: string): CoastError {
  const description = typeof received === 'object' && received !== null ? typeof received : JSON.stringify(received);
  return new CoastError('invalid_shoreline', `${path}: received ${description}; expected ${expected}`);
}
