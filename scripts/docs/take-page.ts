import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { escaped } from '../../packages/core/http/src/docs-page/html.ts';
import { linksOf, repositoryUrl } from './markdown-links.ts';
import { pageOfFile } from './site-map.ts';

export interface Taken {
  readonly markdown: string;
  /** Files that the page shows, from the root of the repository. */
  readonly pictures: readonly string[];
}

/** A file of the repository as a page of the site: its links lead to pages where there are any, else to the repository. */
export function takePage(root: string, file: string, at: string): Taken {
  const text = readFileSync(join(root, file), 'utf8');
  const pictures: string[] = [];
  let markdown = '';
  let written = 0;
  for (const { href, index, isImage, file: target, anchor } of linksOf(file, text)) {
    if (target === undefined) continue;
    markdown += text.slice(written, index);
    written = index + href.length;
    if (isImage) {
      pictures.push(target);
      markdown += `/${target}`;
    } else markdown += addressOf(root, at, target, anchor);
  }
  return { markdown: asText(markdown + text.slice(written)), pictures };
}

/** Pages are templates where they are made HTML: two braces in a line of text would be filled in. */
function asText(markdown: string): string {
  return markdown.replaceAll(/`([^`\n]*\{\{[^`\n]*)`(?!`)/g, (whole, code: string, at: number) =>
    isInFence(markdown, at) ? whole : `<code v-pre>${escaped(code)}</code>`,
  );
}

function isInFence(markdown: string, at: number): boolean {
  return (markdown.slice(0, at).match(/^```/gm)?.length ?? 0) % 2 === 1;
}

function addressOf(root: string, at: string, file: string, anchor: string | undefined): string {
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const page = pageOfFile.get(file) ?? pageOfFile.get(`${file}/README.md`);
  if (page === at && hash !== '') return hash;
  if (page !== undefined) return `${relativePage(at, page)}.md${hash}`;
  const path = join(root, file);
  const kind = existsSync(path) && statSync(path).isDirectory() ? 'tree' : 'blob';
  return `${repositoryUrl}/${kind}/main/${file}${hash}`;
}

function relativePage(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
