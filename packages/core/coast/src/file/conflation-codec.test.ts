import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import type { Conflation } from '../shoreline/conflation.ts';
import { SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';
import { decodeConflation, encodeConflation } from './conflation-codec.ts';

const files = { preferred: Uint8Array.of(1, 2, 3), check: Uint8Array.of(4, 5) };

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function conflationOf(preferred: Uint8Array, check: Uint8Array): Conflation {
  return {
    version: '1',
    attribution: 'made up',
    method: 'made up',
    probabilities: [0.025, 0.5, 0.975],
    classes: [
      { radiusMeters: 50, errorQuantilesMeters: [-50, 0, 50] },
      { radiusMeters: 580, errorQuantilesMeters: [-400, 20, 580] },
    ],
    preferred: { name: 'one', sha256: hashOf(files.preferred), classes: preferred },
    check: { name: 'other', sha256: hashOf(files.check), classes: check },
  };
}

const example = conflationOf(Uint8Array.of(0, 0, 1), Uint8Array.of(SUPERSEDED_CLASS, 1, 1, 0));

describe('a conflation file', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('round-trips to an equal conflation and equal bytes', () => {
    const classes = fc
      .array(fc.tuple(fc.constantFrom(0, 1, SUPERSEDED_CLASS), fc.integer({ min: 1, max: 300 })), { maxLength: 20 })
      .map((runs) => Uint8Array.from(runs.flatMap(([number, length]) => Array<number>(length).fill(number))));
    fc.assert(
      fc.property(classes, classes, (preferred, check) => {
        const conflation = conflationOf(preferred, check);
        const bytes = encodeConflation(conflation);
        const decoded = decodeConflation(bytes, files);
        expect(decoded).toEqual(conflation);
        expect(encodeConflation(decoded)).toEqual(bytes);
      }),
      { numRuns: testVolume(40) },
    );
  });

  it('computes the same hash without Node', () => {
    const bytes = encodeConflation(example);
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    expect(decodeConflation(bytes, files)).toEqual(example);
    expect(() => decodeConflation(bytes, { ...files, check: files.preferred })).toThrow('belongs to another file');
  });

  it('is rejected with other shorelines', () => {
    const bytes = encodeConflation(example);
    for (const [wrong, name] of [
      [{ ...files, preferred: Uint8Array.of(1, 2, 4) }, 'the one of 3 bytes'],
      [{ ...files, check: new Uint8Array() }, 'the other of 0 bytes'],
    ] as const) {
      expect(() => decodeConflation(bytes, wrong)).toThrow(
        expect.objectContaining({ code: 'mismatched_files', message: expect.stringContaining(name) as string }),
      );
    }
  });

  it('is rejected if it is truncated, foreign or altered', () => {
    const bytes = encodeConflation(example);
    const codes = new Set(['truncated_file', 'foreign_file', 'unsupported_version', 'corrupt_file']);
    for (let at = 0; at < bytes.length; at++) {
      const altered = bytes.slice();
      altered[at]! ^= 1 << (at % 8);
      for (const wrong of [altered, bytes.subarray(0, at)]) {
        let code = 'none';
        try {
          decodeConflation(wrong, files);
        } catch (error) {
          code = (error as { code: string }).code;
        }
        expect(codes, `byte ${at}: ${code}`).toContain(code);
      }
    }
    expect(() => decodeConflation(new Uint8Array(100), files)).toThrow('not a conflation of two shorelines');
  });

  it('is rejected with contradictory numbers, by the name of the field', () => {
    const [first] = example.classes;
    const wrong: readonly [Partial<Conflation>, string][] = [
      [{ probabilities: [] }, 'probabilities is []'],
      [{ probabilities: [0.5, 0.5, 0.9] }, 'probabilities is'],
      [{ probabilities: [0, 0.5, 0.9] }, 'probabilities is'],
      [{ classes: [] }, 'classes is 0'],
      [{ classes: [{ ...first!, radiusMeters: Number.NaN }, first!] }, 'classes[0].radiusMeters is null'],
      [{ classes: [first!, { ...first!, radiusMeters: -1 }] }, 'classes[1].radiusMeters is -1'],
      [{ classes: [first!, { ...first!, errorQuantilesMeters: [1] }] }, 'classes[1].errorQuantilesMeters is [1]'],
      [{ classes: [{ ...first!, errorQuantilesMeters: [1, 0, 2] }, first!] }, 'classes[0].errorQuantilesMeters'],
      [{ preferred: { ...example.preferred, sha256: 'ABC' } }, 'preferred.sha256 is "ABC"'],
      [{ check: { ...example.check, classes: Uint8Array.of(0, 2) } }, 'check.classes[1] is 2'],
      [{ version: 3 as unknown as string }, 'version is 3'],
    ];
    for (const [part, message] of wrong) {
      expect(() => encodeConflation({ ...example, ...part })).toThrow(
        expect.objectContaining({
          code: 'invalid_conflation',
          message: expect.stringContaining(message) as string,
        }),
      );
    }
  });
});
