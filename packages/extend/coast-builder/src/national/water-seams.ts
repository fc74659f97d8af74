import type { Position } from 'geojson';

/** Removes seams between polygons of water: `add` counts the sides of all rings, `shores` then cuts the shared ones out of a ring. */
export class WaterSeams {
  readonly #sides = new Map<string, number>();

  add(ring: readonly Position[]): void {
    for (let i = 0; i + 1 < ring.length; i++) {
      const key = sideKey(ring[i]!, ring[i + 1]!);
      this.#sides.set(key, (this.#sides.get(key) ?? 0) + 1);
    }
  }

  /** In its direction. */
  shores(ring: readonly Position[]): Position[][] {
    const parts: Position[][] = [];
    let part: Position[] = [];
    for (let i = 0; i + 1 < ring.length; i++) {
      if (this.#sides.get(sideKey(ring[i]!, ring[i + 1]!))! > 1) {
        if (part.length > 1) parts.push(part);
        part = [];
        continue;
      }
      if (part.length === 0) part.push(ring[i]!);
      part.push(ring[i + 1]!);
    }
    if (part.length > 1) parts.push(part);
    return parts;
  }
}

/** Equal for a side and its reverse. */
function sideKey(a: Position, b: Position): string {
  const one = `${a[0]},${a[1]}`;
  const other = `${b[0]},${b[1]}`;
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
