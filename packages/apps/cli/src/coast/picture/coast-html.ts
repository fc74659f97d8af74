import { type DrawnMap, legendOf, type Picture, type PictureWords } from '@leeward/coast-picture';
import { fonts, mapStyle, pageTones } from '@leeward/coast-picture/style';
import { escaped } from '../../html/escaped.ts';
import { stillPage } from '../../html/still-page.ts';

/** The map of a wide page, and that of a telephone. */
const PAGE_MAPS = { wide: { width: 960, height: 600 }, narrow: { width: 400, height: 440 } };

/** A self-contained page without script, font or link: text, and a map for each width. */
export function coastHtml({ words, map }: Picture): string {
  const maps = { wide: map(PAGE_MAPS.wide), narrow: map(PAGE_MAPS.narrow) };
  const { light, dark } = pageTones();
  const labels = legendOf(maps.wide.bands.map(({ label }) => label));
  const swatch = (content: string) =>
    `<svg class="map" width="24" height="12" viewBox="0 0 24 12" aria-hidden="true">${content}</svg>`;
  const items = [
    ...maps.wide.bands.map(
      ({ className }, at) => `<li>${swatch(`<rect class="${className}" width="24" height="12"/>`)}${labels[at]}</li>`,
    ),
    `<li>${swatch('<path class="counted" d="M0 6h24"/>')}shore that counts</li>`,
    `<li>${swatch('<path class="shore" d="M0 6h24"/>')}other shore</li>`,
    ...(maps.wide.isPartial
      ? [`<li>${swatch('<rect class="beyond" width="24" height="12"/>')}beyond the data</li>`]
      : []),
  ];
  const style = `body{margin:0;background:${light.paper};color:${light.ink};font:15px/1.5 ${fonts.sans}}
main{max-width:960px;margin:0 auto;padding:28px 20px 40px}
h1{font:400 clamp(22px,4.4vw,32px)/1.2 ${fonts.serif};margin:0}
header p,footer{color:${light.soft}}
header p{margin:2px 0 16px;font-size:14px}
figure{margin:0}
figure>.map{display:block;width:100%;height:auto}
.narrow{display:none!important}
ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 22px;margin:12px 0 14px;padding:0;font-size:13px;color:${light.soft}}
li{display:flex;align-items:center;gap:7px}
figcaption p{margin:0 0 4px;max-width:72ch}
footer{margin-top:14px;font-size:12px;line-height:1.45;max-width:110ch}
@media(max-width:640px){.narrow{display:block!important}.wide{display:none!important}main{padding:20px 14px 32px}}
@media screen and (prefers-color-scheme:dark){body{background:${dark.paper};color:${dark.ink}}header p,ul,footer{color:${dark.soft}}}
${mapStyle()}`;
  const content = `<header><h1>${escaped(words.title)}</h1><p>${escaped(words.subtitle)}</p></header>
<figure>
${inline(maps.wide, 'wide', words)}
${inline(maps.narrow, 'narrow', words)}
<ul>${items.join('')}</ul>
<figcaption>${words.caption.map((text) => `<p>${escaped(text)}</p>`).join('')}</figcaption>
</figure>
<footer>${words.attribution.map(escaped).join('<br>')}</footer>`;
  return stillPage(`${words.title}: distance to the coast`, style, content);
}

function inline({ content, width, height }: DrawnMap, name: string, words: PictureWords): string {
  return `<svg class="map ${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(words.caption[0] ?? '')}">${content}</svg>`;
}
