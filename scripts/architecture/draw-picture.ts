import { floorPlans } from './floor-plans.ts';
import { type Arrow, packageArrows, type SourceFile } from './import-graph.ts';

/** Position and text of each package's box. Rows run from the top down; arrows lead to the next row where possible. */
const places: Readonly<Record<string, { row: number; column: number; columns: number; words: string }>> = {
  cli: { row: 0, column: 0, columns: 5, words: 'the leeward command' },
  workbench: { row: 1, column: 1, columns: 2, words: 'the page for people' },
  http: { row: 2, column: 1, columns: 2, words: 'underwriting, quoting, distance' },
  'http-admin': { row: 1, column: 3, columns: 1, words: 'administration over HTTP' },
  books: { row: 2, column: 0, columns: 1, words: 'files of policies' },
  'coastline-us': { row: 2, column: 3, columns: 1, words: 'the shores as data' },
  'coast-builder': { row: 2, column: 4, columns: 1, words: 'files of shore → a shoreline' },
  mcp: { row: 2, column: 5, columns: 1, words: 'tools for AI agents' },
  'coast-picture': { row: 1, column: 5, columns: 1, words: 'a home and its shore as a map' },
  certificate: { row: 0, column: 5, columns: 1, words: 'signed evidence for a home' },
  lines: { row: 3, column: 1, columns: 1, words: 'what is insured beside homes' },
  authoring: { row: 3, column: 0, columns: 1, words: 'checks, compares, replays rules' },
  engine: { row: 4, column: 0, columns: 2, words: 'rule sets + a home → verdicts' },
  quotes: { row: 4, column: 3, columns: 1, words: 'asks many carriers' },
  'address-book': { row: 1, column: 0, columns: 1, words: 'houses without a network' },
  carriers: { row: 1, column: 4, columns: 1, words: 'carriers as JSON files' },
  accounts: { row: 4, column: 2, columns: 1, words: 'who may do what' },
  registry: { row: 3, column: 2, columns: 1, words: 'rule sets in service' },
  coast: { row: 3, column: 3, columns: 2, words: 'where is the shore?' },
  places: { row: 5, column: 0, columns: 3, words: 'states, counties, addresses, geocoders' },
  database: { row: 5, column: 3, columns: 1, words: 'SQLite or PostgreSQL' },
  terms: { row: 6, column: 0, columns: 1, words: 'faults, spellings, dates, money' },
  artifact: { row: 6, column: 2, columns: 2, words: 'rules as one file, and its readers' },
  rows: { row: 6, column: 1, columns: 1, words: 'CSV and NDJSON' },
  'worker-pool': { row: 6, column: 4, columns: 1, words: 'threads for long work' },
};

const COLUMN = 226;
const GAP = 24;
const BOX_HEIGHT = 128;
const ROW_HEIGHT = 190;
const WIDTH = 6 * COLUMN + 7 * GAP;
const HEIGHT = 6 * ROW_HEIGHT + BOX_HEIGHT + 2 * GAP;

const style = `
  .paper { fill: #ffffff } .box { fill: #f3f6fa; stroke: #5b6b7f } .name { fill: #14202e; font-weight: 600 }
  .words, .folders { fill: #44546a } .arrow { stroke: #6d7f95; fill: none } .head { fill: #6d7f95 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #10161d } .box { fill: #1c2631; stroke: #8296ad } .name { fill: #eef3f8 }
    .words, .folders { fill: #b3c1d1 } .arrow { stroke: #8a9db4 } .head { fill: #8a9db4 }
  }`;

interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * Draws the packages and their imports as an SVG, from the sources. Leaves out an import if other arrows lead the same
 * way.
 *
 * @throws {RangeError} If a package has no box, or a box no package.
 */
export function drawPicture(files: readonly SourceFile[]): string {
  const packages = [...new Set(files.map((file) => file.package))];
  const without = packages.filter((name) => !Object.hasOwn(places, name));
  const empty = Object.keys(places).filter((name) => !packages.includes(name));
  if (without.length > 0) throw new RangeError(`The picture has no box for ${without.join(', ')}.`);
  if (empty.length > 0) throw new RangeError(`The picture has a box for ${empty.join(', ')}, which is no package.`);
  const arrows = withoutDetours(packageArrows(files));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" role="img" aria-labelledby="title">`,
    '<title id="title">The packages of Leeward: each imports those that its arrows lead to</title>',
    `<style>${style}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    ...packages.map((name) => drawBox(boxOf(name))),
    ...arrows.map((arrow) => drawArrow(arrow, arrows)),
    '</svg>',
  ].join('\n')}\n`;
}

function boxOf(name: string): Box {
  const { row, column, columns } = places[name]!;
  return {
    name,
    x: GAP + column * (COLUMN + GAP),
    y: GAP + row * ROW_HEIGHT,
    width: columns * COLUMN + (columns - 1) * GAP,
  };
}

function withoutDetours(arrows: readonly Arrow[]): Arrow[] {
  const reaches = (from: string, to: string): boolean =>
    arrows.some((arrow) => arrow.from === from && (arrow.to === to || reaches(arrow.to, to)));
  return arrows.filter(
    ({ from, to }) => !arrows.some((arrow) => arrow.from === from && arrow.to !== to && reaches(arrow.to, to)),
  );
}

/**
 * Draws an arrow from the lower edge of the importer to the upper edge of the imported package, each end at a separate
 * point.
 */
function drawArrow({ from, to }: Arrow, arrows: readonly Arrow[]): string {
  const [above, below] = [boxOf(from), boxOf(to)];
  const targets = arrows.filter((arrow) => arrow.from === from).map((arrow) => arrow.to);
  const sources = arrows.filter((arrow) => arrow.to === to).map((arrow) => arrow.from);
  const x1 = endAt(above, to, targets);
  const x2 = endAt(below, from, sources);
  const [y1, y2] = [above.y + BOX_HEIGHT, below.y - 2];
  const middle = (y1 + y2) / 2;
  return `<path class="arrow" stroke-width="1.5" marker-end="url(#head)" d="M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}"/>`;
}

/** Returns the x of an arrow's end. Ends of a box are in the order of the neighbours' boxes. */
function endAt({ x, width }: Box, neighbour: string, neighbours: readonly string[]): number {
  const inOrder = neighbours.toSorted((a, b) => boxOf(a).x - boxOf(b).x);
  return Math.round(x + (width * (inOrder.indexOf(neighbour) + 1)) / (inOrder.length + 1));
}

function drawBox({ name, x, y, width }: Box): string {
  const folders = wrap(floorPlans[name] ?? [], Math.floor((width - 24) / 5.3));
  const text = (kind: string, size: number, down: number, what: string) =>
    `<text class="${kind}" font-size="${size}" x="${x + 12}" y="${y + down}">${what}</text>`;
  return [
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${BOX_HEIGHT}" rx="6"/>`,
    text('name', 16, 24, name),
    text('words', 12.5, 42, places[name]!.words),
    ...folders.map((line, index) => text('folders', 10, 60 + index * 13, line)),
  ].join('');
}

/** Words in lines of at most so many characters; none begins with a dot. */
function wrap(words: readonly string[], characters: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} · ${word}`;
    if (lines.length > 0 && longer.length <= characters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
