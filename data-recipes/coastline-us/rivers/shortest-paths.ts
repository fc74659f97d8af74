/** Start of a path, and its cost. */
export interface Entry {
  readonly node: number;
  readonly cost: number;
}

/** Compressed rows: the neighbours of `node` are `targets[starts[node] … starts[node + 1] − 1]`. */
export interface Graph {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly costs: Float64Array;
}

export interface ShortestPaths {
  /** Infinite without a path. */
  readonly costs: Float64Array;
  /** The previous node; −1 at an entry. */
  readonly before: Int32Array;
}

/** Dijkstra's shortest paths, up to a cost. */
export function shortestPaths(
  graph: Graph,
  entries: Iterable<Entry>,
  mostCost = Number.POSITIVE_INFINITY,
): ShortestPaths {
  const nodes = graph.starts.length - 1;
  const costs = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(nodes).fill(-1);
  const queue = new Heap();
  for (const { node, cost } of entries) {
    if (cost > mostCost || cost >= costs[node]!) continue;
    costs[node] = cost;
    queue.push(cost, node);
  }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [cost, node] = next;
    if (cost > costs[node]!) continue;
    for (let at = graph.starts[node]!; at < graph.starts[node + 1]!; at++) {
      const target = graph.targets[at]!;
      const total = cost + graph.costs[at]!;
      if (total > mostCost || total >= costs[target]!) continue;
      costs[target] = total;
      before[target] = node;
      queue.push(total, target);
    }
  }
  return { costs, before };
}

class Heap {
  readonly #items: (readonly [number, number])[] = [];

  push(cost: number, node: number): void {
    const items = this.#items;
    let at = items.length;
    items.push([cost, node]);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]![0] <= cost) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = [cost, node];
  }

  pop(): readonly [number, number] | undefined {
    const items = this.#items;
    const [top] = items;
    const last = items.pop();
    if (items.length === 0 || last === undefined) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]![0] < items[child]![0]) child++;
      if (items[child]![0] >= last[0]) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
