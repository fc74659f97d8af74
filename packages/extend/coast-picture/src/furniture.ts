import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import { tenth } from './contour-paths.ts';
import type { MapView } from './map-view.ts';

/** A length that reads well, in one of two measures. */
interface RoundLength {
  readonly meters: number;
  readonly text: string;
}

/** 1, 2 or 5 times a power of ten of a unit, at most so many metres. */
function roundLength(maxLength: number, unitMeters: number, name: string): RoundLength {
  const power = 10 ** Math.floor(Math.log10(maxLength / unitMeters));
  const factor = [5, 2, 1].find((each) => each * power * unitMeters <= maxLength) ?? 1;
  const amount = factor * power;
  return {
    meters: amount * unitMeters,
    text: `${amount.toLocaleString('en-US')} ${name}${name === 'mile' && amount > 1 ? 's' : ''}`,
  };
}

/** Both measures on one line: miles or feet above, kilometres or metres below. */
export function scaleBar(view: MapView, x: number, y: number): string {
  const maxMeters = 130 * view.metersPerPixel;
  const american =
    maxMeters >= METERS_PER_MILE
      ? roundLength(maxMeters, METERS_PER_MILE, 'mile')
      : roundLength(maxMeters, METERS_PER_FOOT, 'ft');
  const metric = maxMeters >= 1_000 ? roundLength(maxMeters, 1_000, 'km') : roundLength(maxMeters, 1, 'm');
  const [upper, lower] = [american, metric].map(({ meters }) => meters / view.metersPerPixel) as [number, number];
  const barPixels = Math.max(upper, lower);
  return [
    `<g transform="translate(${tenth(x)} ${tenth(y)})">`,
    `<rect class="plate" x="-10" y="-24" width="${tenth(barPixels + 64)}" height="46" rx="2"/>`,
    `<path class="line" stroke-width="1.2" d="M0 -5V0H${tenth(barPixels)}M${tenth(upper)} 0V-5M0 0V5M${tenth(lower)} 0V5"/>`,
    `<path class="line" stroke-width="2.6" d="M0 0H${tenth(Math.min(upper, lower) / 2)}"/>`,
    `<text class="ink" font-size="10.5" x="${tenth(upper + 5)}" y="-4">${american.text}</text>`,
    `<text class="ink" font-size="10.5" x="${tenth(lower + 5)}" y="12">${metric.text}</text>`,
    '</g>',
  ].join('');
}

export function northArrow(x: number, y: number): string {
  return [
    `<g transform="translate(${tenth(x)} ${tenth(y)})">`,
    '<circle class="plate" r="21"/>',
    '<path class="ink" d="M0 -15L5.2 9L0 5Z"/>',
    '<path class="line" stroke-width=".9" d="M0 -15L-5.2 9L0 5"/>',
    '<text class="ink serif" font-size="11" font-weight="600" text-anchor="middle" y="19">N</text>',
    '</g>',
  ].join('');
}

const STEPS_MINUTES = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200];

/** Parallels and meridians, faint, with their names along the frame. */
export function graticule(view: MapView): { readonly lines: string; readonly names: string } {
  const { width, height } = view;
  const upperLeft = view.toPoint({ x: 0, y: 0 });
  const lowerRight = view.toPoint({ x: width, y: height });
  const middle = view.toPoint({ x: width / 2, y: height / 2 });
  const perPixel = (view.toPoint({ x: width / 2 + 1, y: height / 2 }).longitude - middle.longitude + 360) % 360;
  const targetDegrees = 190 * perPixel * 60;
  const step = (STEPS_MINUTES.find((each) => each >= targetDegrees) ?? 1_200) / 60;
  const lines: string[] = [];
  const names: string[] = [];
  for (let latitude = Math.ceil(lowerRight.latitude / step) * step; latitude <= upperLeft.latitude; latitude += step) {
    const { y } = view.toPixel({ latitude, longitude: middle.longitude });
    if (y < 16 || y > height - 16) continue;
    lines.push(`M0 ${tenth(y)}H${tenth(width)}`);
    // The scale is below.
    if (y < height - 66) names.push(frameName(6, y - 4, 'start', degreesText(latitude, 'N', 'S')));
  }
  // Relative to the middle, so that the 180° meridian is not special.
  const reach = (width / 2) * perPixel;
  const from = Math.ceil((middle.longitude - reach) / step) * step;
  for (let longitude = from; longitude <= middle.longitude + reach; longitude += step) {
    const turned = longitude - 360 * Math.round(longitude / 360);
    const { x } = view.toPixel({ latitude: middle.latitude, longitude: turned });
    if (x < 40 || x > width - 40) continue;
    lines.push(`M${tenth(x)} 0V${tenth(height)}`);
    names.push(frameName(x + 4, 13, 'start', degreesText(turned, 'E', 'W')));
  }
  return { lines: `<path class="grid" d="${lines.join('')}"/>`, names: names.join('') };
}

function frameName(x: number, y: number, anchor: string, text: string): string {
  return `<text class="soft halo" font-size="9" x="${tenth(x)}" y="${tenth(y)}" text-anchor="${anchor}">${text}</text>`;
}

/** `25°47′N`, `25°47′30″N`, `25°N`. */
export function degreesText(degrees: number, positive: string, negative: string): string {
  const seconds = Math.round(Math.abs(degrees) * 3_600);
  const [whole, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = [`${whole}°`];
  if (minutes > 0 || rest > 0) parts.push(`${String(minutes).padStart(2, '0')}′`);
  if (rest > 0) parts.push(`${String(rest).padStart(2, '0')}″`);
  return `${parts.join('')}${seconds === 0 ? '' : degrees < 0 ? negative : positive}`;
}
