import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isArchive, readArchive } from './read-archive.ts';
import { writeShapefile } from './testing/shapefile-fixture.ts';

const line = [
  [
    [-80, 25],
    [-80, 26],
  ],
] as const;
const { shp, dbf } = writeShapefile('line', [{ parts: line, attributes: { FTYPE: 566 } }]);

describe('readArchive', () => {
  it('returns only the shapefiles, with their attributes', () => {
    const bytes = zipSync({
      'Shape/NHDArea.shp': shp,
      'Shape/NHDArea.DBF': dbf,
      'Shape/WBDHU4.shp': shp,
      'a.xml': dbf,
    });
    expect(isArchive(bytes)).toBe(true);
    const files = readArchive(bytes, 'state.zip');
    expect(files.map(({ name }) => name)).toEqual(['NHDArea.shp']);
    expect(files[0]).toMatchObject({ bytes: shp, attributes: dbf });
  });

  it('rejects by name an archive that is damaged, without shapefiles or too large', () => {
    const whole = zipSync({ 'a.shp': shp });
    expect(() => readArchive(whole.subarray(0, whole.length - 30), 'cut.zip')).toThrow('cut.zip: not a readable zip');
    expect(() => readArchive(zipSync({ 'a.txt': dbf }), 'texts.zip')).toThrow('texts.zip: the archive has no .shp');
    const many = zipSync(Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`${at}.shp`, shp])));
    const view = new DataView(many.buffer);
    for (let at = 0; at + 46 < many.length; at++) {
      // The uncompressed size in the central directory.
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 0xfffffff0, true);
    }
    expect(() => readArchive(many, 'bomb.zip')).toThrow(
      'bomb.zip: not a readable zip archive (it holds more than 8 GB)',
    );
    expect(isArchive(shp)).toBe(false);
  });
});
