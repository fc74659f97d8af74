import { tenth } from './contour-paths.ts';
import type { DrawnMap } from './draw-map.ts';
import { escaped } from './escaped.ts';
import { textWidth } from './labels.ts';
import { mapStyle } from './palette.ts';
import { legendOf, type PictureWords, wrapped } from './picture-words.ts';

const MARGIN = 36;
const MAP_TOP = 92;

export const SHEET_MAP = { width: 888, height: 560 };

/** A self-contained picture: title, map, legend and caption, without script, font or link. */
export function coastSvg(map: DrawnMap, words: PictureWords): string {
  const width = map.width + 2 * MARGIN;
  const legendTop = MAP_TOP + map.height + 24;
  let y = legendTop + 34;
  const lines: string[] = [];
  for (const line of words.caption.flatMap((text) => wrapped(text, 128))) {
    lines.push(`<text class="ink" font-size="13" x="${MARGIN}" y="${y}">${escaped(line)}</text>`);
    y += 19;
  }
  y += 6;
  for (const line of words.attribution.flatMap((text) => wrapped(text, 165))) {
    lines.push(`<text class="soft" font-size="10" x="${MARGIN}" y="${y}">${escaped(line)}</text>`);
    y += 14;
  }
  const height = y + 14;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="sheet" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title caption">
<title id="title">${escaped(words.title)}</title>
<desc id="caption">${escaped(words.caption.join(' '))}</desc>
<style>${mapStyle()}</style>
<rect class="paper" width="${width}" height="${height}"/>
<text class="ink serif" font-size="27" x="${MARGIN}" y="54">${escaped(words.title)}</text>
<text class="soft" font-size="13" x="${MARGIN}" y="76">${escaped(words.subtitle)}</text>
<svg class="map" x="${MARGIN}" y="${MAP_TOP}" width="${map.width}" height="${map.height}" viewBox="0 0 ${map.width} ${map.height}">
${map.content}
</svg>
${legend(map, legendTop)}
${lines.join('\n')}
</svg>
`;
}

function legend({ bands, isPartial }: DrawnMap, y: number): string {
  const parts: string[] = [];
  let x = MARGIN;
  const labels = legendOf(bands.map(({ label }) => label));
  bands.forEach(({ className }, at) => {
    parts.push(`<rect class="${className}" x="${tenth(x)}" y="${y - 9}" width="22" height="11"/>`);
    parts.push(text(x + 28, labels[at]!));
    x += 28 + textWidth(labels[at]!, 11.5) + 20;
  });
  parts.push(`<path class="counted" d="M${tenth(x)} ${y - 3.5}h22"/>`, text(x + 28, 'shore that counts'));
  x += 28 + textWidth('shore that counts', 11.5) + 20;
  parts.push(`<path class="shore" d="M${tenth(x)} ${y - 3.5}h22"/>`, text(x + 28, 'other shore'));
  if (isPartial) {
    x += 28 + textWidth('other shore', 11.5) + 20;
    parts.push(
      `<rect class="beyond" x="${tenth(x)}" y="${y - 9}" width="22" height="11"/>`,
      text(x + 28, 'beyond the data'),
    );
  }
  return parts.join('');

  function text(left: number, words: string): string {
    return `<text class="soft" font-size="11.5" x="${tenth(left)}" y="${y}">${words}</text>`;
  }
}
