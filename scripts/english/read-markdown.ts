import { blockOf, type Piece, splitSentences } from './sentences.ts';

interface Line {
  readonly text: string;
  readonly line: number;
}

/** Returns the sentences of a Markdown file, without front matter, code fences and HTML comments. */
export function readMarkdown(file: string, source: string): Piece[] {
  const pieces: Piece[] = [];
  let paragraph: Line[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) pieces.push(...splitSentences(blockOf(paragraph), file, 'prose'));
    paragraph = [];
  };
  let fence: string | undefined;
  let isComment = false;
  let isFrontMatter = false;
  source.split('\n').forEach((raw, index) => {
    const line = index + 1;
    if (index === 0 && raw.trim() === '---') isFrontMatter = true;
    else if (isFrontMatter) isFrontMatter = raw.trim() !== '---';
    else if (fence !== undefined) {
      if (raw.trim().startsWith(fence)) fence = undefined;
    } else if (/^\s*(```|~~~)/.test(raw)) {
      flush();
      fence = raw.trim().slice(0, 3);
    } else if (isComment || raw.trim().startsWith('<!--')) {
      flush();
      isComment = !raw.includes('-->');
    } else if (raw.trim() === '' || /^\s*\|?[\s:|-]+\|?$/.test(raw)) flush();
    else if (/^\s*\|/.test(raw)) {
      flush();
      for (const cell of raw.split(/(?<!\\)\|/))
        pieces.push(...splitSentences(blockOf([{ text: cell, line }]), file, 'prose'));
    } else if (/^\s*#/.test(raw)) {
      flush();
      pieces.push(...splitSentences(blockOf([{ text: raw.replace(/^\s*#+\s*/, ''), line }]), file, 'prose'));
    } else {
      const item = /^\s*(?:[-*+]|\d+[.)])\s+/.exec(raw);
      if (item !== null) flush();
      paragraph.push({ text: raw.slice(item?.[0].length ?? 0).replace(/^\s*>\s?/, ''), line });
    }
  });
  flush();
  return pieces;
}
