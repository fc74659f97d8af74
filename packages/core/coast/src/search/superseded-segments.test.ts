import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCoast } from '../answer/create-coast.ts';
import { CoastError } from '../coast-error.ts';
import { encodeShoreline } from '../file/shoreline-codec.ts';
import { type Shoreline, SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';
import { randomShoreline } from '../testing/random-shoreline.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { buildTiles } from '../tiles/build-tiles.ts';
import { buildCoastIndex } from './coast-index.ts';
import { encodeCoastIndex, openCoastIndex } from './coast-index-file.ts';
import { openCoastData } from './open-coast-data.ts';

/** Superseded stretches, and class 7 elsewhere; the first two segments remain. */
function randomClasses(random: () => number, length: number): Uint8Array {
  let accuracyClass = 7;
  return Uint8Array.from({ length }, (_, vertex) => {
    if (vertex > 1 && random() < 0.2) accuracyClass = random() < 0.5 ? 7 : SUPERSEDED_CLASS;
    return accuracyClass;
  });
}

/** The oracle: superseded segments belong to no layer. */
function withoutSuperseded(shoreline: Shoreline): Shoreline {
  const layers = shoreline.layers.map((mask, vertex) => (shoreline.classes?.[vertex] === SUPERSEDED_CLASS ? 0 : mask));
  return { ...shoreline, layers };
}

describe('superseded segments', () => {
  it('are never found, by the tree, by tiles or in a file, while sides stay the same', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const drawn = randomShoreline(random, 3);
        const shoreline = { ...drawn, classes: randomClasses(random, drawn.layers.length) };
        const expected = createCoast(buildCoastIndex(withoutSuperseded(shoreline)));
        const byTree = buildCoastIndex(shoreline);
        const byTiles = buildCoastIndex(shoreline);
        const [longitude, latitude] = drawn.positions;
        const corner = { west: longitude!, east: longitude!, south: latitude!, north: latitude! };
        buildTiles(byTiles, { definitions: ['tidal'], boxes: [corner] });
        const opened = openCoastIndex(encodeCoastIndex(byTiles));
        expect(opened.lines.classes).toEqual(byTree.lines.classes);
        for (let round = 0; round < 20; round++) {
          const point = {
            latitude: Math.min(90, Math.max(-90, latitude! + (random() - 0.5) * 2)),
            longitude: Math.min(180, Math.max(-180, longitude! + (random() - 0.5) * 2)),
          };
          const answer = expected.nearest(point);
          for (const index of [byTree, byTiles, opened]) expect(createCoast(index).nearest(point)).toEqual(answer);
          expect(createCoast(byTree).nearestSeveral(point, 3)).toEqual(expected.nearestSeveral(point, 3));
        }
      }),
      { numRuns: testVolume(20) },
    );
  });
});

describe('classes of a compact shoreline', () => {
  const drawn = randomShoreline(seededRandom(3), 1);
  const bytes = encodeShoreline(drawn);

  it('come with its bytes, one for each vertex of the file', () => {
    const classes = new Uint8Array(drawn.layers.length).fill(9);
    expect(new Set(openCoastData(bytes, 'own', classes).lines.classes)).toEqual(new Set([9]));
    expect(new Set(openCoastData(bytes, 'own').lines.classes)).toEqual(new Set([0]));
  });

  it('are rejected if their number differs, or with an index', () => {
    const open = (data: Uint8Array, length: number) => () => openCoastData(data, 'own', new Uint8Array(length));
    const count = drawn.layers.length;
    expect(open(bytes, count + 1)).toThrow(CoastError);
    expect(open(bytes, count + 1)).toThrow(`own: ${count + 1} classes for ${count} vertices`);
    expect(open(encodeCoastIndex(buildCoastIndex(drawn)), count)).toThrow('classes belong to a compact shoreline');
  });
});
