import { hash } from 'node:crypto';
import type { DocsPage } from './docs-page.ts';
import { Html, html } from './html.ts';
import { inline } from './prose.ts';

/** Paragraphs may contain `code` and **strong**. */
export interface ReferenceSection {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
}

const style = `
:root { color-scheme: light dark; --line: #d5dee1; --soft: #52666e; --accent: #0b6e78; --ground: #fff; --text: #16242a; }
@media (prefers-color-scheme: dark) { :root { --line: #2c3b41; --soft: #9db0b7; --accent: #5fc6d1; --ground: #10181b; --text: #e2ebee; } }
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1.2rem 4rem; background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; }
section { border-top: 1px solid var(--line); padding: .6rem 0; }
h2 { font-size: 1.1rem; margin: .4rem 0; }
a { color: var(--accent); }
code { font: .9em ui-monospace, Menlo, Consolas, monospace; color: var(--soft); overflow-wrap: anywhere; }
`;

/** Without scripts; loads nothing. */
export function referencePage(title: string, sections: readonly ReferenceSection[], docs: string): DocsPage {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${sections.map(
  ({ id, title: head, paragraphs }) =>
    html`<section id="${id}"><h2>${head}</h2>${paragraphs.map((text) => html`<p>${inline(text)}</p>`)}</section>
`,
)}
<p><a href="${docs}">All operations</a></p>
</main>
</body>
</html>
`;
  const styleHash = hash('sha256', style, 'base64');
  return {
    html: page.text,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
