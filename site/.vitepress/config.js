import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

/** A house by the water, drawn here so that no picture is asked for. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e78"/><path d="M7 16l9-8 9 8v6H7z" fill="#fff"/><path d="M5 26q3-3 6 0t5 0 5 0 6 0" fill="none" stroke="#fff" stroke-width="2"/></svg>`;

const pages = fileURLToPath(new URL('../.pages', import.meta.url));

/** The anchor of a heading as GitHub makes it, so that a link into a page holds in both. */
const slugify = (text) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');

export default defineConfig({
  title: 'Leeward',
  description: 'Home insurance: which carriers would take a home, at what price, and how far it is from the sea.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  base: process.env.DOCS_BASE ?? '/',
  metaChunk: true,
  vite: { build: { chunkSizeWarningLimit: 3000 } },
  markdown: {
    anchor: { slugify },
    toc: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guide/start', activeMatch: '^/guide/' },
      { text: 'Reference', link: '/reference/command-line', activeMatch: '^/reference/' },
      { text: 'HTTP API', link: '/api/', activeMatch: '^/api/' },
      { text: 'TypeScript', link: '/typescript/', activeMatch: '^/typescript/' },
      { text: 'Project', link: '/project/overview', activeMatch: '^/project/' },
    ],
    sidebar: JSON.parse(readFileSync(`${pages}/sidebar.json`, 'utf8')),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: false } },
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
