import type { MapView, Pixel } from './map-view.ts';

/** An occupied rectangle. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A town to name on the map, the more important first. */
export interface Town {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface PlacedLabel extends Pixel {
  readonly text: string;
  readonly anchor: 'start' | 'end' | 'middle';
  readonly dot: Pixel;
}

/** Keeps words off each other and off what the map is about. */
export class LabelSpace {
  readonly #taken: Rectangle[] = [];
  readonly #view: MapView;

  constructor(view: MapView) {
    this.#view = view;
  }

  take(rectangle: Rectangle): void {
    this.#taken.push(rectangle);
  }

  /** Reserves the first candidate that is free and within the picture. Undefined if there is none. */
  takeFirst<Candidate extends { readonly rectangle: Rectangle }>(
    candidates: readonly Candidate[],
  ): Candidate | undefined {
    const candidate = candidates.find(({ rectangle }) => this.#isFree(rectangle));
    if (candidate !== undefined) this.#taken.push(candidate.rectangle);
    return candidate;
  }

  #isFree({ left, top, right, bottom }: Rectangle): boolean {
    const { width, height } = this.#view;
    if (left < 8 || top < 20 || right > width - 8 || bottom > height - 8) return false;
    return this.#taken.every(
      (each) => right < each.left || left > each.right || bottom < each.top || top > each.bottom,
    );
  }
}

/** About as wide as it is drawn: no font is measured. */
export function textWidth(text: string, fontSize: number): number {
  return text.length * fontSize * 0.54;
}

/** Towns with free space, each next to or above its dot. */
export function placeTowns(towns: readonly Town[], view: MapView, space: LabelSpace, max: number): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  for (const town of towns) {
    if (placed.length === max) break;
    const { x, y } = view.toPixel(town);
    const width = textWidth(town.name, 11);
    const beside = (anchor: 'start' | 'end', left: number) => ({
      anchor,
      x: anchor === 'start' ? x + 6 : x - 6,
      y: y + 4,
      rectangle: { left: left - 3, right: left + width + 3, top: y - 9, bottom: y + 9 },
    });
    const label = space.takeFirst([
      beside('start', x + 6),
      beside('end', x - 6 - width),
      {
        anchor: 'middle' as const,
        x,
        y: y - 7,
        rectangle: { left: x - width / 2 - 3, right: x + width / 2 + 3, top: y - 20, bottom: y + 4 },
      },
    ]);
    if (label === undefined) continue;
    space.take({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 });
    placed.push({ text: town.name, anchor: label.anchor, x: label.x, y: label.y, dot: { x, y } });
  }
  return placed;
}
