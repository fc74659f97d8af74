import type { MapView, Pixel } from './map-view.ts';

/** Room that is taken. */
export interface Room {
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
export class LabelRoom {
  readonly #taken: Room[] = [];
  readonly #view: MapView;

  constructor(view: MapView) {
    this.#view = view;
  }

  take(room: Room): void {
    this.#taken.push(room);
  }

  /** The first of some rooms that is free and within the picture, taken; undefined where none is. */
  takeFirst<Candidate extends { readonly room: Room }>(candidates: readonly Candidate[]): Candidate | undefined {
    const found = candidates.find(({ room }) => this.#isFree(room));
    if (found !== undefined) this.#taken.push(found.room);
    return found;
  }

  #isFree({ left, top, right, bottom }: Room): boolean {
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

/** Towns that find room, each beside its dot or above it. */
export function placeTowns(towns: readonly Town[], view: MapView, room: LabelRoom, most: number): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  for (const town of towns) {
    if (placed.length === most) break;
    const { x, y } = view.toPixel(town);
    const width = textWidth(town.name, 11);
    const beside = (anchor: 'start' | 'end', left: number) => ({
      anchor,
      x: anchor === 'start' ? x + 6 : x - 6,
      y: y + 4,
      room: { left: left - 3, right: left + width + 3, top: y - 9, bottom: y + 9 },
    });
    const found = room.takeFirst([
      beside('start', x + 6),
      beside('end', x - 6 - width),
      {
        anchor: 'middle' as const,
        x,
        y: y - 7,
        room: { left: x - width / 2 - 3, right: x + width / 2 + 3, top: y - 20, bottom: y + 4 },
      },
    ]);
    if (found === undefined) continue;
    room.take({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 });
    placed.push({ text: town.name, anchor: found.anchor, x: found.x, y: found.y, dot: { x, y } });
  }
  return placed;
}
