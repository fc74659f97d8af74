import type { Position } from 'geojson';

/**
 * Neighbouring polygons of water share the lines between them, which are no shore. Remembers the sides of all
 * polygons, then cuts those that two of them have out of a ring.
 */
export class WaterSeams {
  readonly #sides = new Map<string, number>();

  add(ring: readonly Position[]): void {
    for (let i = 0; i + 1 < ring.length; i++) {
      const key = sideKey(ring[i]!, ring[i + 1]!);
      this.#sides.set(key, (this.#sides.get(key) ?? 0) + 1);
    }
  }

  /** The parts of a ring that are shore, in its direction. */
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

/** The same for a side and for its reverse. */
function sideKey(a: Position, b: Position): string {
  const one = `${a[0]},${a[1]}`;
  const other = `${b[0]},${b[1]}`;
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
