import { createReadStream } from 'node:fs';
import type { ResumableFile } from './resumable-file.ts';

/** Layout of the records: quoting, and the text before them. */
interface RecordLayout {
  readonly quoted: boolean;
  readonly head: string;
}

/** The records that an earlier run wrote, without the head. */
export async function* readWholeRecords(
  { partialPath, wholeBytes }: Pick<ResumableFile, 'partialPath' | 'wholeBytes'>,
  { quoted, head }: RecordLayout,
): AsyncGenerator<string> {
  let rest = '';
  let isQuoted = false;
  let behind = head === '' ? 0 : -1;
  const stream = createReadStream(partialPath, { encoding: 'utf8', start: 0, end: wholeBytes - 1 });
  for await (const chunk of stream as AsyncIterable<string>) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const character = chunk[at];
      if (character === '"') isQuoted = quoted && !isQuoted;
      else if (character === '\n' && !isQuoted) {
        if (behind >= 0) yield rest + chunk.slice(from, at);
        behind += 1;
        rest = '';
        from = at + 1;
      }
    }
    rest += chunk.slice(from);
  }
}
