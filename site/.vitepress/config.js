import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { searchOptions } from './search-options.js';

/** The icon of the workbench. */
const icon = readFileSync(new URL('../../packages/apps/workbench/src/design/icon.svg', import.meta.url), 'utf8').trim();

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
  // The search's index is one file of 3 MB, loaded with the search box.
  vite: { build: { target: 'es2022', chunkSizeWarningLimit: 3500 } },
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
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        miniSearch: { searchOptions },
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
