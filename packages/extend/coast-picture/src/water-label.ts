import { tenth } from './contour-paths.ts';
import { type LabelSpace, textWidth } from './labels.ts';
import type { MapView } from './map-view.ts';
import type { PictureSubject } from './picture-subject.ts';
import type { ShoreSamples } from './sample-shore.ts';

/** Names of shores as maps name their waters. */
const WATERS: Readonly<Record<string, string>> = {
  Atlantic: 'Atlantic Ocean',
  Pacific: 'Pacific Ocean',
  Bering: 'Bering Sea',
  Arctic: 'Arctic Ocean',
  Caribbean: 'Caribbean Sea',
};
const OCEAN_LAYER = 'ocean';

/** The name of the water, placed where most of it is. Only for open sea: bays have names that the data lacks. */
export function waterLabel(
  { answer, coast }: PictureSubject,
  { heights, columns, toX, toY }: ShoreSamples,
  view: MapView,
  space: LabelSpace,
): string {
  const text = WATERS[answer.shore] ?? (answer.shore === 'coast' ? '' : answer.shore);
  const size = view.width > 600 ? 19 : 15;
  const letterSpacing = 2;
  const width = textWidth(text, size) * 0.92 + letterSpacing * text.length;
  if (text === '') return '';
  const candidates: { at: number; x: number; y: number }[] = [];
  heights.forEach((height, at) => {
    const x = toX(at % columns);
    const y = toY(Math.floor(at / columns));
    if (x % 12 !== 0 || y % 12 !== 0 || -height < 0.42 * width * view.metersPerPixel) return;
    if (x < width / 2 + 12 || x > view.width - width / 2 - 12 || y < 40 || y > view.height - 30) return;
    candidates.push({ at, x, y });
  });
  candidates.sort((one, other) => heights[one.at]! - heights[other.at]!);
  const isOpen = candidates.slice(0, 1).every(({ x, y, at }) => {
    if (!coast.datasets.some(({ layerNames }) => layerNames.includes(OCEAN_LAYER)) || answer.shore === 'Great Lakes')
      return true;
    return coast.nearest(view.toPoint({ x, y }), OCEAN_LAYER).distanceMeters <= -1.02 * heights[at]! + 300;
  });
  if (!isOpen) return '';
  const label = space.takeFirst(
    candidates.slice(0, 200).map((each) => ({
      ...each,
      rectangle: { left: each.x - width / 2, right: each.x + width / 2, top: each.y - size, bottom: each.y + 8 },
    })),
  );
  if (label === undefined) return '';
  return `<text class="waterInk serif" font-style="italic" font-size="${size}" letter-spacing="${letterSpacing}" text-anchor="middle" x="${tenth(label.x)}" y="${tenth(label.y)}">${text}</text>`;
}
