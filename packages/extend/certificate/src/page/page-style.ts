import { fonts, mapStyle } from '@leeward/coast-picture/style';

const light = {
  paper: '#fdfcf9',
  card: '#f6f3ea',
  ink: '#22282c',
  soft: '#5d6467',
  line: '#d9d5c9',
  eligible: '#1d6b45',
  referral: '#1f5878',
  needs_information: '#7f5200',
  ineligible: '#a3201d',
};
const dark: typeof light = {
  paper: '#15181a',
  card: '#1e2224',
  ink: '#ecebe6',
  soft: '#a3a8aa',
  line: '#3a4043',
  eligible: '#6fcf9d',
  referral: '#84bbdb',
  needs_information: '#e5b65c',
  ineligible: '#ff8a70',
};

const variables = (tones: typeof light) =>
  Object.entries(tones)
    .map(([name, tone]) => `--${name}:${tone}`)
    .join(';');

/** Light, dark by the reader's system, and light on paper. */
export const pageStyle = `:root{color-scheme:light dark;${variables(light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 ${fonts.sans}}
main{max-width:960px;margin:0 auto;padding:32px 20px 48px;overflow-wrap:anywhere}
h1,h2{font-family:${fonts.serif};font-weight:400;line-height:1.2}
h1{font-size:clamp(22px,4.6vw,32px);margin:2px 0 6px}
h2{font-size:21px;margin:34px 0 10px;padding-top:12px;border-top:1px solid var(--line);break-after:avoid}
h3{font-size:16px;margin:0;line-height:1.3}
p{margin:4px 0;max-width:80ch}
ul{margin:2px 0;padding:0;list-style:none}
code,pre{font:12px/1.45 ui-monospace,'SF Mono',Menlo,Consolas,monospace}
.muted{color:var(--soft)}.small{font-size:13px}.label{letter-spacing:.06em;text-transform:uppercase;font-size:12px;color:var(--soft);margin:0}
.notice{border-left:3px solid var(--ink);padding:2px 0 2px 12px;margin:14px 0 0;font-weight:600}
.counts{display:flex;flex-wrap:wrap;gap:6px 20px;margin-top:14px}
.counts b{font-size:20px;font-weight:600}
.eligible{color:var(--eligible)}.referral{color:var(--referral)}.needs_information{color:var(--needs_information)}.ineligible{color:var(--ineligible)}
.verdict{display:grid;grid-template-columns:200px 1fr;gap:2px 24px;padding:12px 0;border-top:1px solid var(--line)}
.verdict:first-of-type{border-top:0}
.verdict>*{min-width:0}
.status{font-weight:600;margin:2px 0}
.rule{margin:0 0 8px;break-inside:avoid}
.rule>p:first-child{font-weight:600}
.rule li{padding-left:12px;border-left:2px solid var(--line);margin:3px 0;font-size:14px}
.open{columns:2;column-gap:24px;font-size:13px}
.open li{break-inside:avoid;padding-left:12px;border-left:2px solid var(--line);margin:0 0 5px}
.distance{display:grid;grid-template-columns:minmax(0,440px) 1fr;gap:10px 28px;align-items:start}
.distance>*{min-width:0}
figure{margin:0}
.sheet-map{display:block;width:100%;height:auto}
figcaption{font-size:13px;color:var(--soft);margin-top:6px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 18px;margin:8px 0}
dt{color:var(--soft)}dd{margin:0;min-width:0}
.shores{grid-template-columns:1fr;gap:0}.shores dt{font-weight:600;color:var(--ink)}.shores dd{margin:0 0 12px;font-size:14px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;vertical-align:top;padding:4px 14px 4px 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600}tbody th{font-weight:400}
thead{display:table-header-group}tr{break-inside:avoid}
summary{cursor:pointer}
pre{white-space:pre-wrap;overflow-wrap:anywhere;max-height:60vh;overflow:auto;background:var(--card);padding:12px;border-radius:4px}
@media(max-width:700px){.verdict,.distance{grid-template-columns:1fr}.open{columns:1}dl{grid-template-columns:1fr;gap:0}dl dd{margin-bottom:6px}main{padding:20px 14px 32px}}
@media print{@page{margin:14mm}body{font-size:11px;line-height:1.4}main{max-width:none;padding:0}h1{font-size:20px}h2{font-size:15px;margin:14px 0 5px;padding-top:6px}h3{font-size:12px}.small,.rule li,.open,table,.shores dd,figcaption{font-size:10px}code{font-size:9px}.counts b{font-size:14px}.verdict{grid-template-columns:140px 1fr;padding:6px 0;gap:0 16px}.distance{grid-template-columns:300px 1fr}.distance figure,.verdict h3{break-inside:avoid}th,td{padding:2px 10px 2px 0}details{display:none}}
${mapStyle()}`;
