/** A term of one carrier, by the axes that it tests. */
export interface PlaneTerm<T> {
  readonly carrier: number;
  readonly axes: readonly number[];
  readonly term: T;
}

export interface LaneTerm<T> extends PlaneTerm<T> {
  readonly lane: number;
}

/** A maximum of one term per lane, and the axes that these terms test. */
export interface Plane<T> {
  readonly axes: readonly number[];
  readonly terms: readonly LaneTerm<T>[];
}

/** Cost of a new plane in addition to its axes, in row reads. */
const PLANE_COST = 1;

/**
 * Distributes terms over planes so that each plane tests few axes: reading a plane costs one row for each axis. Greedy, starting with
 * the most common sets of axes.
 */
export function assignPlanes<T>(
  terms: readonly PlaneTerm<T>[],
  lanesOf: (carrier: number) => readonly number[],
): readonly Plane<T>[] {
  const keyed = terms.map((term) => ({ term, key: term.axes.join(' ') }));
  const frequency = new Map<string, number>();
  for (const { key } of keyed) frequency.set(key, (frequency.get(key) ?? 0) + 1);
  keyed.sort((a, b) => frequency.get(b.key)! - frequency.get(a.key)! || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const planes: { axes: Set<number>; used: Map<number, number>; terms: LaneTerm<T>[] }[] = [];
  /** By carrier, the number of leading planes without a free lane, which are skipped. */
  const full = new Map<number, number>();
  for (const { term } of keyed) {
    const { carrier } = term;
    const lanes = lanesOf(carrier);
    const isFull = (plane: (typeof planes)[number]) => (plane.used.get(carrier) ?? 0) >= lanes.length;
    let first = full.get(carrier) ?? 0;
    while (first < planes.length && isFull(planes[first]!)) first++;
    full.set(carrier, first);
    let best: (typeof planes)[number] | undefined;
    let bestCost = term.axes.length + PLANE_COST;
    for (let index = first; index < planes.length && bestCost > 0; index++) {
      const plane = planes[index]!;
      if (isFull(plane)) continue;
      let cost = 0;
      for (const axis of term.axes) if (!plane.axes.has(axis)) cost++;
      if (cost >= bestCost) continue;
      best = plane;
      bestCost = cost;
    }
    if (!best) {
      best = { axes: new Set(), used: new Map(), terms: [] };
      planes.push(best);
    }
    const used = best.used.get(carrier) ?? 0;
    best.used.set(carrier, used + 1);
    best.terms.push({ ...term, lane: lanes[used]! });
    for (const axis of term.axes) best.axes.add(axis);
  }
  return planes.map((plane) => ({ axes: [...plane.axes].sort((a, b) => a - b), terms: plane.terms }));
}
