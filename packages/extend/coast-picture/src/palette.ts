interface Tones {
  readonly paper: string;
  readonly land: string;
  readonly bands: readonly string[];
  readonly water: string;
  readonly deep: string;
  readonly shore: string;
  readonly counted: string;
  readonly river: string;
  readonly ink: string;
  readonly soft: string;
  readonly waterInk: string;
  readonly home: string;
  readonly grid: string;
}

const light: Tones = {
  paper: '#fdfcf9',
  land: '#f5f1e6',
  bands: ['#e2a171', '#ebbf95', '#f1d6b6', '#f4e6d0'],
  water: '#cbdde6',
  deep: '#bfd4df',
  shore: '#6f8b98',
  counted: '#1f4256',
  river: '#4d87a5',
  ink: '#22282c',
  soft: '#646a6d',
  waterInk: '#4c7287',
  home: '#a3201d',
  grid: '#33515f',
};

const dark: Tones = {
  paper: '#15181a',
  land: '#25292b',
  bands: ['#8a5836', '#6a4a34', '#4e4034', '#383632'],
  water: '#13242f',
  deep: '#0f1e28',
  shore: '#54717f',
  counted: '#b9d3df',
  river: '#56879f',
  ink: '#ecebe6',
  soft: '#a3a8aa',
  waterInk: '#7ba4b8',
  home: '#ff8a70',
  grid: '#a9c4d0',
};

const SERIF = `'Iowan Old Style','Palatino Linotype',Palatino,'URW Palladio L','Book Antiqua',Georgia,serif`;
const SANS = `'Avenir Next',Avenir,'Segoe UI','Helvetica Neue',Helvetica,Arial,sans-serif`;

/**
 * The style of a map: light, and dark where the reader's system asks for it. Printed, it is light.
 *
 * @example
 * const style = `main { max-width: 960px } ${mapStyle()}`;
 */
export function mapStyle(): string {
  return `${tonesOf(light)}
.map text,.sheet text{font-family:${SANS}}
.map .serif,.sheet .serif{font-family:${SERIF}}
.map .halo{paint-order:stroke;stroke-width:2.5px;stroke-linejoin:round}
@media screen and (prefers-color-scheme:dark){${tonesOf(dark)}}`;
}

/**
 * The colours of a map, for the page around it.
 *
 * @example
 * const style = `body { background: ${pageTones().light.paper} }`;
 */
export function pageTones(): { readonly light: Tones; readonly dark: Tones } {
  return { light, dark };
}

/** Font families of a map, for the page around it. */
export const fonts = { serif: SERIF, sans: SANS };

function tonesOf(tones: Tones): string {
  return [
    `.paper{fill:${tones.paper}}`,
    `.land{fill:${tones.land}}`,
    ...tones.bands.map((tone, at) => `.b${at + 1}{fill:${tone}}`),
    `.water{fill:${tones.water}}`,
    `.beyond{fill:${tones.paper};stroke:${tones.soft};stroke-width:.8;stroke-dasharray:5 4}`,
    `.shore{fill:none;stroke:${tones.shore};stroke-width:.7}`,
    `.counted{fill:none;stroke:${tones.counted};stroke-width:1.3;stroke-linejoin:round}`,
    `.river{fill:none;stroke:${tones.river};stroke-width:1.5;stroke-linejoin:round}`,
    `.grid{fill:none;stroke:${tones.grid};stroke-width:.5;stroke-opacity:.16}`,
    `.neat{fill:none;stroke:${tones.ink};stroke-width:1}`,
    `.tick{stroke:${tones.ink};stroke-width:.8}`,
    `.ink{fill:${tones.ink}}`,
    `.soft{fill:${tones.soft}}`,
    `.line{stroke:${tones.ink};fill:none}`,
    `.waterInk{fill:${tones.waterInk}}`,
    `.home{fill:${tones.home};stroke:${tones.paper};stroke-width:2}`,
    `.way{stroke:${tones.home};stroke-width:1.8;fill:none}`,
    `.foot{fill:${tones.paper};stroke:${tones.home};stroke-width:1.8}`,
    `.radius{fill:${tones.home};fill-opacity:.07;stroke:${tones.home};stroke-width:1;stroke-dasharray:1.5 3.5;stroke-linecap:round}`,
    `.ofHome{fill:${tones.home};fill-opacity:.04;stroke:${tones.home};stroke-opacity:.7;stroke-width:.9;stroke-dasharray:6 4}`,
    `.halo{stroke:${tones.paper};stroke-opacity:.6}`,
    `.halo.onWater{stroke:${tones.water}}`,
    `.plate{fill:${tones.paper};fill-opacity:.86}`,
  ].join('');
}
