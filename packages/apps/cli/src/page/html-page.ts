import { fonts } from '@leeward/coast-picture/style';
import { escaped } from '../html/escaped.ts';
import { stillPage } from '../html/still-page.ts';

/** Light colours first, dark by system preference. */
const light = {
  paper: '#fdfcf9',
  ink: '#22282c',
  soft: '#5d6467',
  line: '#d9d5c9',
  good: '#1d6b45',
  bad: '#a3201d',
  care: '#7f5200',
  bar: '#33627a',
  eligible: '#4c9a74',
  referral: '#5b8fb0',
  needs: '#d9b45a',
  ineligible: '#c2614f',
  absent: '#dedbd2',
  heat: ['transparent', '#e3edf1', '#c6dbe4', '#a3c5d3', '#7fafc2'],
};
const dark: typeof light = {
  paper: '#15181a',
  ink: '#ecebe6',
  soft: '#a3a8aa',
  line: '#3a4043',
  good: '#6fcf9d',
  bad: '#ff8a70',
  care: '#e5b65c',
  bar: '#7ba4b8',
  eligible: '#4f9f79',
  referral: '#5f95b8',
  needs: '#c9a54d',
  ineligible: '#c4654f',
  absent: '#31373a',
  heat: ['transparent', '#1b2c35', '#22404d', '#2a5466', '#336a81'],
};

const variables = ({ heat, ...tones }: typeof light) =>
  [
    ...Object.entries(tones).map(([name, tone]) => `--${name}:${tone}`),
    ...heat.map((tone, at) => `--heat${at}:${tone}`),
  ].join(';');

const style = `:root{color-scheme:light dark;${variables(light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
*{box-sizing:border-box;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 ${fonts.sans}}
main{max-width:960px;margin:0 auto;padding:32px 20px 48px}
h1,h2{font-family:${fonts.serif};font-weight:400;line-height:1.2}
h1{font-size:clamp(24px,5vw,34px);margin:0}
h2{font-size:21px;margin:36px 0 8px;padding-top:12px;border-top:1px solid var(--line);break-after:avoid}
h3{font-size:15px;margin:18px 0 4px;break-after:avoid}
p{margin:6px 0;max-width:76ch}
.soft,figcaption{color:var(--soft)}
.small{font-size:13px}
code{font:12.5px/1.4 ui-monospace,'SF Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
.good{color:var(--good)}.bad{color:var(--bad)}.care{color:var(--care)}
.state{font-size:17px;font-weight:600;margin:18px 0 6px;padding:10px 14px;border:1.5px solid currentColor;border-radius:4px;max-width:none}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 18px;margin:14px 0}
dt{color:var(--soft)}dd{margin:0;min-width:0}
ul{margin:6px 0;padding:0;list-style:none}
li{margin:0 0 10px;padding-left:16px;border-left:2px solid var(--line);break-inside:avoid}
li p{margin:1px 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13.5px}
caption{text-align:left;color:var(--soft);padding-bottom:6px}
th,td{text-align:left;vertical-align:top;padding:5px 10px 5px 0;border-bottom:1px solid var(--line)}
thead th{font-weight:600;color:var(--soft);vertical-align:bottom}
thead{display:table-header-group}
tr{break-inside:avoid}
tbody th{font-weight:400}
.number{text-align:right;font-variant-numeric:tabular-nums;padding-right:10px;padding-left:10px;white-space:nowrap}
.heat0{background:var(--heat0)}.heat1{background:var(--heat1)}.heat2{background:var(--heat2)}.heat3{background:var(--heat3)}.heat4{background:var(--heat4)}
.sides{letter-spacing:2px}
.heat{table-layout:fixed}
.heat .number{width:11%}.heat .limits{width:18%;padding-left:14px}
.heat .number{white-space:normal}
.bars{table-layout:fixed}
.bars th{width:34%}.bars .number{width:14%}
.bar{display:block;height:12px;min-width:2px;background:var(--bar);border-radius:2px;margin-top:4px}
.stacks th{width:26%}.stacks .number{width:11%}
.stack{display:flex;height:14px;margin-top:3px;border-radius:2px;overflow:hidden;background:var(--absent)}
.stack span,.key i{background:var(--absent)}
.key{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13px;color:var(--soft)}
.key i{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:6px;vertical-align:-1px}
.stack .eligible,.key .eligible{background:var(--eligible)}.stack .referral,.key .referral{background:var(--referral)}
.stack .needs_information,.key .needs_information{background:var(--needs)}.stack .ineligible,.key .ineligible{background:var(--ineligible)}
.sign{display:grid;grid-template-columns:1fr 1fr;gap:36px 28px;margin-top:44px;break-inside:avoid}
.sign div{border-top:1px solid var(--ink);padding-top:4px;color:var(--soft);font-size:13px}
footer{margin-top:36px;color:var(--soft);font-size:12px;overflow-wrap:anywhere}
@media(max-width:560px){main{padding:22px 14px 36px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:6px}.sign{grid-template-columns:1fr}.heat .number{width:17%}.heat .limits{width:22%;padding-right:0}.heat th,.heat td,.bars tbody th{overflow-wrap:anywhere}.bars thead .number{font-size:12px;padding-left:2px;padding-right:2px}.stacks th{width:27%}.stacks .number{width:17%;font-size:12px;padding-left:2px;padding-right:2px}.bars .number{width:22%}}
@page{margin:16mm 15mm}
@media print{:root{--paper:#fff}body{font-size:10.5pt}main{max-width:none;padding:0}.wide{overflow:visible}table{font-size:9.5pt}}`;

export function htmlPage(title: string, content: string): string {
  return stillPage(title, style, content);
}

/** Omits zero milliseconds. */
export function instantOf(text: string): string {
  return text.replace(/\.0+(?=Z$)/, '');
}

/** Omits undefined values. Values are markup. */
export function definitions(entries: readonly (readonly [name: string, value: string | undefined])[]): string {
  const visibleEntries = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [`<dt>${escaped(name)}</dt><dd>${value}</dd>`],
  );
  return `<dl>${visibleEntries.join('\n')}</dl>`;
}
