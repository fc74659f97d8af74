import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

/** Address of the repository on the web. A link to it is a link to the local file. */
export const repositoryUrl = 'https://github.com/leeward/leeward';
const webFile = /^https:\/\/github\.com\/leeward\/leeward\/(?:blob|tree)\/main\/([^#]+)(#.*)?$/;

export interface MarkdownLink {
  /** As it is written. */
  readonly href: string;
  /** Index in the text. */
  readonly index: number;
  readonly isImage: boolean;
  /** From the root of the repository; undefined where it leads elsewhere. */
  readonly file?: string;
  /** Behind the `#`. */
  readonly anchor?: string;
}

/** Blanks out code and keeps all positions. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^(`{3,})[^\n]*\n.*?^\1`*$/gms, (code) => code.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(`+)(?!`).+?(?<!`)\1(?!`)/g, (code) => ' '.repeat(code.length));
}

/** The target of a link or picture; a title may follow. */
const target = /\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)(?: "[^"]*")?\)/dg;

/** Every link of a page, in order; `file` is the page's own path from the root. */
export function linksOf(file: string, text: string): MarkdownLink[] {
  return [...withoutCode(text).matchAll(target)].map((match) => {
    const href = match[1]!;
    const index = match.indices![1]![0];
    return { href, index, isImage: isPicture(text, match.index), ...targetOf(file, href) };
  });
}

/** True if the closing bracket belongs to a picture. */
function isPicture(text: string, close: number): boolean {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (text[at] === ']') depth++;
    else if (text[at] === '[' && --depth === 0) return text[at - 1] === '!';
  }
  return false;
}

function targetOf(from: string, href: string): Pick<MarkdownLink, 'file' | 'anchor'> {
  const web = webFile.exec(href);
  if (web !== null) return { file: web[1]!.replace(/\/$/, ''), ...anchorOf(web[2]) };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return {};
  const [path = '', anchor] = href.split('#', 2);
  const file =
    path === '' ? from : posix.normalize(posix.join(posix.dirname(from), decodeURI(path))).replace(/\/$/, '');
  return { file, ...anchorOf(anchor) };
}

function anchorOf(anchor: string | undefined): Pick<MarkdownLink, 'anchor'> {
  return anchor === undefined || anchor === '' ? {} : { anchor: anchor.replace(/^#/, '') };
}

/** The anchor that a heading gets, as GitHub makes it; so the site makes it too. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Every anchor of a page: its headings, and what is named in HTML. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const bare = text.replaceAll(/^(`{3,})[^\n]*\n.*?^\1`*$/gms, '');
  const anchors = new Set<string>();
  for (const [, heading] of bare.matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const slug = slugOf(heading!);
    let name = slug;
    for (let count = 1; anchors.has(name); count++) name = `${slug}-${count}`;
    anchors.add(name);
  }
  for (const [, id] of bare.matchAll(/ (?:id|name)="([^"]+)"/g)) anchors.add(id!);
  return anchors;
}

/** Describes the broken links of a page: missing files and missing headings. */
export function brokenLinks(root: string, file: string, text = readFileSync(join(root, file), 'utf8')): string[] {
  return linksOf(file, text).flatMap(({ href, file: target, anchor }) => {
    if (target === undefined) return [];
    const path = join(root, target);
    if (relative(root, path).startsWith('..')) return [`${file}: ${href} leads out of the repository`];
    if (target !== file && !existsSync(path)) return [`${file}: ${href} leads to nothing`];
    if (anchor === undefined || !target.endsWith('.md') || (target !== file && statSync(path).isDirectory())) return [];
    const anchors = anchorsOf(target === file ? text : readFileSync(path, 'utf8'));
    return anchors.has(anchor) ? [] : [`${file}: ${href} names a heading that ${target} does not have`];
  });
}
