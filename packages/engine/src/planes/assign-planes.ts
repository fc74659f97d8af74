/** A term of one carrier, by the axes it tests. */
export interface PlaneTerm<T> {
  readonly carrier: number;
  readonly axes: readonly number[];
  readonly term: T;
}

/** One term of each of some carriers, and the axes that any of them tests. */
export interface Plane<T> {
  readonly axes: readonly number[];
  readonly terms: readonly PlaneTerm<T>[];
}

/** What a new plane costs beside its axes, in row reads. */
const PLANE_COST = 1;

/**
 * Lays terms into planes, one a carrier and plane, so that each plane tests few axes: reading a plane
 * costs one row a tested axis. Greedy, the commonest sets of axes first.
 */
export function assignPlanes<T>(terms: readonly PlaneTerm<T>[]): readonly Plane<T>[] {
  const key = (term: PlaneTerm<T>) => term.axes.join(' ');
  const frequency = new Map<string, number>();
  for (const term of terms) frequency.set(key(term), (frequency.get(key(term)) ?? 0) + 1);
  const sorted = [...terms].sort(
    (a, b) => frequency.get(key(b))! - frequency.get(key(a))! || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0),
  );
  const planes: { axes: Set<number>; carriers: Set<number>; terms: PlaneTerm<T>[] }[] = [];
  for (const term of sorted) {
    let best: (typeof planes)[number] | undefined;
    let bestCost = term.axes.length + PLANE_COST;
    for (const plane of planes) {
      if (plane.carriers.has(term.carrier)) continue;
      const cost = term.axes.reduce((sum, axis) => sum + (plane.axes.has(axis) ? 0 : 1), 0);
      if (cost >= bestCost) continue;
      best = plane;
      bestCost = cost;
    }
    if (!best) {
      best = { axes: new Set(), carriers: new Set(), terms: [] };
      planes.push(best);
    }
    best.carriers.add(term.carrier);
    best.terms.push(term);
    for (const axis of term.axes) best.axes.add(axis);
  }
  return planes.map((plane) => ({ axes: [...plane.axes].sort((a, b) => a - b), terms: plane.terms }));
}
