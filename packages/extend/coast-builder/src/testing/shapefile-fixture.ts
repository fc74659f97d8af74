export interface FixtureFeature {
  readonly parts: readonly (readonly (readonly [number, number])[])[];
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** As the Census Bureau and NOAA publish them; for tests. */
export function writeShapefile(
  type: 'line' | 'polygon',
  features: readonly FixtureFeature[],
): { shp: Uint8Array; dbf: Uint8Array } {
  return {
    shp: writeShp(type === 'line' ? 3 : 5, features),
    dbf: writeDbf(features.map(({ attributes }) => attributes)),
  };
}

function writeShp(shapeType: number, features: readonly FixtureFeature[]): Uint8Array {
  const records = features.map(({ parts }) => record(shapeType, parts));
  const length = records.reduce((sum, bytes) => sum + 8 + bytes.length, 100);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  view.setInt32(0, 9994);
  view.setInt32(24, length / 2);
  view.setInt32(28, 1000, true);
  view.setInt32(32, shapeType, true);
  let offset = 100;
  records.forEach((bytes, index) => {
    view.setInt32(offset, index + 1);
    view.setInt32(offset + 4, bytes.length / 2);
    file.set(bytes, offset + 8);
    offset += 8 + bytes.length;
  });
  return file;
}

function record(shapeType: number, parts: FixtureFeature['parts']): Uint8Array {
  const points = parts.flat();
  const bytes = new Uint8Array(44 + 4 * parts.length + 16 * points.length);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, shapeType, true);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].forEach((side, i) => {
    view.setFloat64(4 + 8 * i, side, true);
  });
  view.setInt32(36, parts.length, true);
  view.setInt32(40, points.length, true);
  let first = 0;
  parts.forEach((part, i) => {
    view.setInt32(44 + 4 * i, first, true);
    first += part.length;
  });
  points.forEach(([x, y], i) => {
    view.setFloat64(44 + 4 * parts.length + 16 * i, x, true);
    view.setFloat64(52 + 4 * parts.length + 16 * i, y, true);
  });
  return bytes;
}

const TEXT_WIDTH = 60;

function writeDbf(rows: readonly Readonly<Record<string, string | number>>[]): Uint8Array {
  const names = Object.keys(rows[0] ?? {});
  const headerLength = 33 + 32 * names.length;
  const recordLength = 1 + TEXT_WIDTH * names.length;
  const file = new Uint8Array(headerLength + recordLength * rows.length + 1).fill(0x20, headerLength);
  const view = new DataView(file.buffer);
  file[0] = 3;
  view.setUint32(4, rows.length, true);
  view.setUint16(8, headerLength, true);
  view.setUint16(10, recordLength, true);
  const ascii = (text: string, offset: number): void => {
    for (let i = 0; i < text.length; i++) file[offset + i] = text.charCodeAt(i);
  };
  names.forEach((name, i) => {
    ascii(name, 32 + 32 * i);
    ascii(typeof rows[0]![name] === 'number' ? 'N' : 'C', 43 + 32 * i);
    file[48 + 32 * i] = TEXT_WIDTH;
  });
  file[headerLength - 1] = 0x0d;
  rows.forEach((row, r) => {
    names.forEach((name, i) => {
      ascii(String(row[name] ?? '').slice(0, TEXT_WIDTH), headerLength + recordLength * r + 1 + TEXT_WIDTH * i);
    });
  });
  file[file.length - 1] = 0x1a;
  return file;
}
