import type { QuoteStatusResponse } from '@leeward/quotes';
import { createColors } from 'picocolors';
import type { Terminal } from '../terminal.ts';
import { dollars } from './plain-text.ts';

/** A terminal line that is overwritten, and cleared at the end. */
export interface ProgressLine {
  show(status: QuoteStatusResponse): void;
  wipe(): void;
}

const BAR_WIDTH = 24;
const wipeLine = '\r\u001b[K';

/** Answers and lowest premium so far. Prints nothing without a terminal. */
export function createProgressLine(terminal: Terminal): ProgressLine {
  const { columns } = terminal;
  if (columns === undefined) return { show() {}, wipe() {} };
  const { green, dim } = createColors(terminal.inColor);
  return {
    show({ counts, min_quote }) {
      const ended = counts.success + counts.error;
      const all = ended + counts.processing;
      const filled = all === 0 ? BAR_WIDTH : Math.round((BAR_WIDTH * ended) / all);
      const bar = columns < 70 ? '' : `${green('█'.repeat(filled))}${dim('░'.repeat(BAR_WIDTH - filled))} `;
      const lowest = min_quote === null ? '' : `, lowest ${dollars(min_quote)}`;
      const text = `${ended} of ${all} answered, ${counts.success} with a premium${lowest}`;
      terminal.write(`${wipeLine}${bar}${text.slice(0, columns - (bar === '' ? 1 : BAR_WIDTH + 2))}`);
    },
    wipe: () => terminal.write(wipeLine),
  };
}
