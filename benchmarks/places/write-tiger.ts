import { writeFileSync } from 'node:fs';
import type { TownRange } from './town.ts';

const columns = [
  ['TLID', 'N', 10],
  ['FULLNAME', 'C', 40],
  ['LFROMHN', 'C', 12],
  ['LTOHN', 'C', 12],
  ['RFROMHN', 'C', 12],
  ['RTOHN', 'C', 12],
  ['ZIPL', 'C', 5],
  ['ZIPR', 'C', 5],
  ['PARITYL', 'C', 1],
  ['PARITYR', 'C', 1],
] as const;

/** Writes ranges as an ADDRFEAT shapefile: `.shp` (ESRI Shapefile Technical Description, 1998), `.dbf` and `.prj`. */
export function writeTiger(stem: string, ranges: readonly TownRange[]): void {
  const shapes = ranges.map(({ line }, index) => {
    const content = Buffer.alloc(8 + 48 + line.length * 16);
    content.writeInt32BE(index + 1, 0);
    content.writeInt32BE((content.length - 8) / 2, 4);
    content.writeInt32LE(3, 8);
    content.writeInt32LE(1, 44);
    content.writeInt32LE(line.length, 48);
    line.forEach(([longitude, latitude], vertex) => {
      content.writeDoubleLE(longitude, 56 + vertex * 16);
      content.writeDoubleLE(latitude, 64 + vertex * 16);
    });
    return content;
  });
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((100 + shapes.reduce((sum, shape) => sum + shape.length, 0)) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(3, 32);
  writeFileSync(`${stem}.shp`, Buffer.concat([head, ...shapes]));
  const rowLength = 1 + columns.reduce((sum, [, , length]) => sum + length, 0);
  const table = Buffer.alloc(32 + columns.length * 32 + 1);
  table[0] = 3;
  table.writeUInt32LE(ranges.length, 4);
  table.writeUInt16LE(table.length, 8);
  table.writeUInt16LE(rowLength, 10);
  columns.forEach(([name, type, length], index) => {
    table.write(name, 32 + index * 32, 'latin1');
    table.write(type, 43 + index * 32, 'latin1');
    table[48 + index * 32] = length;
  });
  table[table.length - 1] = 0x0d;
  const rows = ranges.map(({ edge, street, zip, left, right }) => {
    const values = [
      edge,
      street,
      ...(left ?? ['', '']),
      ...(right ?? ['', '']),
      zip,
      zip,
      parityOf(left),
      parityOf(right),
    ];
    return ` ${columns.map(([, , length], index) => String(values[index]).padEnd(length)).join('')}`;
  });
  writeFileSync(`${stem}.dbf`, Buffer.concat([table, Buffer.from(rows.join(''), 'latin1')]));
  writeFileSync(`${stem}.prj`, 'GEOGCS["GCS_North_American_1983",UNIT["Degree",0.017453292519943295]]');
}

function parityOf(numbers: TownRange['left']): string {
  if (numbers === undefined) return '';
  return numbers[0] % 2 === 0 ? 'E' : 'O';
}
