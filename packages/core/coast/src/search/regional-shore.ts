/**
 * The lines and the tree of runs of a compact shoreline with regions. Both have their full size from the beginning, but a region is read
 * and filled in when a search first reaches its box. A query near one coast therefore reads a few regions.
 */
import { CoastError } from '../coast-error.ts';
import type { CompactShoreline } from '../file/shoreline-codec.ts';
import type { ShorelineRegion } from '../file/shoreline-region.ts';
import { createEarthLines, type EarthLines, MAX_VERTICES } from '../shoreline/earth-lines.ts';
import { accepts, type LayerSelection } from '../shoreline/layer-selection.ts';
import { SUPERSEDED_CLASS } from '../shoreline/shoreline.ts';
import {
  buildNodes,
  buildRunTree,
  createTree,
  growRunTree,
  layersOfAll,
  linkOfRegion,
  maxNodes,
  NODE_WORDS,
  type RunTree,
  type TreeRegions,
} from './run-tree.ts';

/** Position of a region in lines and tree. */
interface Place {
  readonly line: number;
  readonly vertex: number;
  /** Superseded segments in a row cut runs. */
  readonly supersededStretches: number;
  /** First reserved node; −1 without a segment that has a layer. */
  node: number;
  isOpen: boolean;
}

export class RegionalShore implements TreeRegions {
  readonly lines: EarthLines;
  readonly tree: RunTree;
  readonly #shoreline: CompactShoreline;
  readonly #classes: Uint8Array | undefined;
  readonly #places: readonly Place[];
  #wholeTree: RunTree | undefined;

  /** @param classes by vertex of the file. */
  constructor(shoreline: CompactShoreline, classes: Uint8Array | undefined) {
    const { regions, header } = shoreline;
    this.#shoreline = shoreline;
    this.#classes = classes;
    const places: Place[] = [];
    let line = 0;
    let vertex = 0;
    regions.forEach((region, number) => {
      const from = shoreline.firstVertexOf(number);
      const supersededStretches = classes === undefined ? 0 : countSuperseded(classes, from, from + region.vertices);
      places.push({ line, vertex, supersededStretches, node: -1, isOpen: false });
      line += region.lines;
      vertex += region.earthVertices;
    });
    if (vertex >= MAX_VERTICES) {
      throw new CoastError(
        'too_many_vertices',
        `the shoreline ${header.name} has ${vertex} vertices; an index holds up to ${MAX_VERTICES}: split the shoreline`,
      );
    }
    this.#places = places;
    this.lines = {
      vertices: new Int32Array(vertex * 3),
      layers: new Uint16Array(vertex),
      shores: new Uint8Array(vertex),
      classes: new Uint8Array(vertex),
      lineStarts: new Uint32Array(line + 1),
    };
    // Until a region is open all its lines begin at its first vertex: a search for the line of a vertex needs ascending numbers.
    regions.forEach(({ lines }, number) => {
      const place = places[number]!;
      this.lines.lineStarts.fill(place.vertex, place.line, place.line + lines);
    });
    this.lines.lineStarts[line] = vertex;
    this.tree = this.#createTree();
  }

  /** Layers of all segments, superseded ones included. */
  get layerMasks(): ReadonlySet<number> {
    return new Set(this.#shoreline.regions.flatMap(({ masks }) => masks));
  }

  /** Number of regions in use. */
  get openRegions(): number {
    return this.#places.reduce((sum, { isOpen }) => sum + Number(isOpen), 0);
  }

  /** The tree of all lines, as for a shoreline without regions. */
  wholeTree(): RunTree {
    this.openAll();
    this.#wholeTree ??= buildRunTree(this.lines);
    return this.#wholeTree;
  }

  openAll(): void {
    for (let region = 0; region < this.#places.length; region++) this.open(region);
  }

  hasRun(region: number, selection: LayerSelection): boolean | undefined {
    if (!this.#shoreline.regions[region]!.masks.some((mask) => accepts(selection, mask))) return false;
    return this.#places[region]!.supersededStretches === 0 ? true : undefined;
  }

  open(region: number): void {
    const place = this.#places[region]!;
    if (place.isOpen) return;
    const shape = this.#shoreline.regions[region]!;
    const lines = this.#read(region, shape);
    const { line, vertex, node } = place;
    this.lines.vertices.set(lines.vertices, vertex * 3);
    this.lines.layers.set(lines.layers, vertex);
    this.lines.shores.set(lines.shores, vertex);
    this.lines.classes.set(lines.classes, vertex);
    for (let at = 0; at < shape.lines; at++) this.lines.lineStarts[line + at] = vertex + lines.lineStarts[at]!;
    if (node >= 0) growRunTree(this.lines, vertex, vertex + shape.earthVertices, this.tree, node);
    place.isOpen = true;
  }

  #read(region: number, shape: ShorelineRegion): EarthLines {
    const part = this.#shoreline.readRegion(region);
    const from = this.#shoreline.firstVertexOf(region);
    const classes = this.#classes?.subarray(from, from + shape.vertices);
    const lines = createEarthLines(classes === undefined ? part : { ...part, classes });
    if (!fits(lines, shape)) {
      const { name } = this.#shoreline.header;
      throw new CoastError('corrupt_file', `${name}: region ${region} does not match its description`);
    }
    return lines;
  }

  #createTree(): RunTree {
    const { regions } = this.#shoreline;
    const drawn = regions.map((_, region) => region).filter((region) => regions[region]!.masks.length > 0);
    const sizes = drawn.map((region) => {
      const { earthVertices, stretches } = regions[region]!;
      return maxNodes(earthVertices, stretches + this.#places[region]!.supersededStretches);
    });
    const nodes = sizes.reduce((sum, size) => sum + size, Math.max(0, drawn.length - 1));
    const tree = createTree(nodes, this);
    if (drawn.length === 0) return tree;
    const boxes = Int32Array.from(drawn.flatMap((region) => regions[region]!.box));
    buildNodes(boxes, tree, 0, (item, base) => {
      const region = drawn[item]!;
      tree.links[base + 6] = linkOfRegion(region);
      tree.links[base + 7] = layersOfAll(regions[region]!.masks);
      this.#places[region]!.node = base / NODE_WORDS;
      return sizes[item]!;
    });
    return tree;
  }
}

function countSuperseded(classes: Uint8Array, from: number, to: number): number {
  let stretches = 0;
  let last = 0;
  for (let vertex = from; vertex < to; vertex++) {
    const accuracyClass = classes[vertex]!;
    if (accuracyClass === SUPERSEDED_CLASS && last !== SUPERSEDED_CLASS) stretches++;
    last = accuracyClass;
  }
  return stretches;
}

/** Reserved places and boxes of the tree depend on the description. */
function fits({ vertices, layers }: EarthLines, shape: ShorelineRegion): boolean {
  if (layers.length !== shape.earthVertices) return false;
  let stretches = 0;
  let last = 0;
  for (let vertex = 0; vertex < layers.length; vertex++) {
    const mask = layers[vertex]!;
    if (mask !== last && mask !== 0) {
      stretches++;
      if (!shape.masks.includes(mask)) return false;
    }
    last = mask;
    if (mask === 0) continue;
    for (let number = 0; number < 6; number++) {
      const value = vertices[vertex * 3 + number]!;
      if (value < shape.box[number % 3]! || value > shape.box[(number % 3) + 3]!) return false;
    }
  }
  return stretches <= shape.stretches;
}
