/** Polylines, one record a line (ESRI Shapefile Technical Description, 1998). */
export function shapefileOf(lines: readonly (readonly (readonly number[])[])[]): Uint8Array {
  const lengths = lines.map((line) => 44 + 4 + line.length * 16);
  const total = 100 + lengths.reduce((sum, length) => sum + 8 + length, 0);
  const view = new DataView(new ArrayBuffer(total));
  view.setInt32(0, 9994);
  view.setInt32(24, total / 2);
  view.setInt32(28, 1000, true);
  view.setInt32(32, 3, true);
  writeBox(view, 36, lines.flat());
  let at = 100;
  lines.forEach((line, index) => {
    view.setInt32(at, index + 1);
    view.setInt32(at + 4, lengths[index]! / 2);
    view.setInt32(at + 8, 3, true);
    writeBox(view, at + 12, line);
    view.setInt32(at + 44, 1, true);
    view.setInt32(at + 48, line.length, true);
    view.setInt32(at + 52, 0, true);
    line.forEach(([longitude = 0, latitude = 0], vertex) => {
      view.setFloat64(at + 56 + vertex * 16, longitude, true);
      view.setFloat64(at + 64 + vertex * 16, latitude, true);
    });
    at += 8 + lengths[index]!;
  });
  return new Uint8Array(view.buffer);
}

function writeBox(view: DataView, at: number, positions: readonly (readonly number[])[]): void {
  const longitudes = positions.map(([longitude = 0]) => longitude);
  const latitudes = positions.map(([, latitude = 0]) => latitude);
  [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)].forEach(
    (value, index) => {
      view.setFloat64(at + index * 8, value, true);
    },
  );
}
