/** The policy allows it by its hash. */
export const styleSheet = `
:root {
  --ground: #fff; --raised: #f4f7f8; --line: #d5dee1; --text: #16242a; --soft: #52666e; --accent: #0b6e78;
  --code: #10262e; --code-ground: #f0f5f6; --string: #1e6b3a; --number: #8a4b08; --word: #7a2fa0; --key: #0b4f8a; --warm: #9a3412;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10181b; --raised: #172226; --line: #2c3b41; --text: #e2ebee; --soft: #9db0b7; --accent: #5fc6d1;
    --code: #dde8eb; --code-ground: #1a272c; --string: #8ad3a2; --number: #f0b878; --word: #d3a4ee; --key: #8fc3f2; --warm: #f4a26e;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--accent); text-decoration: none; }
a:hover, main p a { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
p { margin: 0 0 .7rem; max-width: 70ch; }
code { font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--code); overflow-wrap: anywhere; }
p code, dd code, li code { background: var(--code-ground); border-radius: 3px; padding: .05em .3em; }
pre { margin: 0; padding: .8rem 1rem; background: var(--code-ground); border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 14rem; }
pre code { white-space: pre; overflow-wrap: normal; }
pre i { font-style: normal; }
.k { color: var(--key); } .s { color: var(--string); } .n { color: var(--number); } .w { color: var(--word); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: .4rem .8rem; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.2rem 1rem 2rem; background: var(--raised); border-right: 1px solid var(--line); font-size: .9rem; }
nav .title { font-weight: 700; font-size: 1.1rem; }
nav details { margin-bottom: .5rem; }
nav summary { font-weight: 600; padding: .2rem 0; }
nav ul { list-style: none; margin: 0 0 .4rem; padding: 0 0 0 .8rem; border-left: 1px solid var(--line); }
nav li a { display: block; padding: .16rem 0; color: var(--text); overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--soft); }
main { padding: 2rem 2.5rem 6rem; min-width: 0; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.5rem; line-height: 1.2; margin: 3.5rem 0 .6rem; padding-bottom: .4rem; border-bottom: 2px solid var(--accent); }
h3 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h3 a { color: inherit; }
h4 { font-size: .95rem; margin: 1.4rem 0 .4rem; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; padding: 1.2rem 0; border-bottom: 1px solid var(--line); }
.schema { padding: .7rem 0; border-bottom: 1px solid var(--line); max-width: 60rem; }
.operation, .schema { position: relative; }
.operation:target::before, .schema:target::before { content: ''; position: absolute; left: -.8rem; top: 1.2rem; bottom: 1.2rem; width: 4px; border-radius: 2px; background: var(--accent); }
.shown { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto; min-width: 0; }
.shown > * { margin-bottom: .8rem; }
.example summary, .caption { margin-bottom: .3rem; font-size: .9rem; color: var(--soft); }
.route { font-size: 1rem; }
.method { font: 700 .75rem/1.6 ui-monospace, Menlo, Consolas, monospace; border: 1px solid var(--accent); color: var(--accent); border-radius: 4px; padding: .05rem .4rem; margin-right: .3rem; }
.access, .type, .together { color: var(--soft); font-size: .9rem; font-weight: 400; }
.named { margin-bottom: .3rem; }
.fields { margin: .4rem 0 0; border-top: 1px solid var(--line); }
.fields dt { padding: .5rem 0 0; overflow-wrap: anywhere; }
.fields dd { margin: 0; padding: .1rem 0 .5rem; border-bottom: 1px solid var(--line); }
.fields dd p { margin: 0 0 .25rem; }
.fields .name { font-weight: 700; }
.fields .fields { margin-left: .9rem; }
.required { color: var(--warm); font-size: .8rem; }
.words { line-height: 1.9; }
.problems { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem .5rem; }
.problems a { display: inline-block; border: 1px solid var(--line); border-radius: 4px; padding: .05rem .45rem; font: .82rem/1.6 ui-monospace, Menlo, Consolas, monospace; color: var(--soft); }
.search input, .try-form input, .try-form textarea { width: 100%; font: inherit; padding: .35rem .5rem; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; }
.try-form textarea { font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.try-form { display: grid; gap: .6rem; }
.try, .try-form button { font: inherit; justify-self: start; padding: .25rem .8rem; color: var(--accent); background: var(--raised); border: 1px solid var(--accent); border-radius: 4px; cursor: pointer; }
[hidden] { display: none !important; }
@media (max-width: 75rem) { .operation { grid-template-columns: minmax(0, 1fr); gap: 1rem; } .shown { position: static; max-height: none; } }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); padding: .8rem 1rem; }
  main { padding: 1.2rem 1rem 4rem; }
  h2 { margin-top: 2.5rem; }
}
@media print { nav, .skip { display: none; } body { display: block; } .shown { position: static; max-height: none; } pre { max-height: none; } }
`;
