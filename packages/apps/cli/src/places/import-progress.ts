import type { ImportProgress } from '@leeward/address-book';
import { createColors } from 'picocolors';
import type { Terminal } from '../terminal.ts';

const BAR_WIDTH = 24;
const wipeLine = '\r\u001b[K';

/** Progress on one line. Prints nothing without a terminal. */
export function createImportProgress(terminal: Terminal, name: string) {
  const { columns } = terminal;
  if (columns === undefined) return { show() {}, wipe() {} };
  const { green, dim } = createColors(terminal.inColor);
  return {
    show({ rowsRead, bytesRead, totalBytes }: ImportProgress) {
      const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, bytesRead / totalBytes);
      const filled = Math.round(BAR_WIDTH * (share ?? 0));
      const bar =
        share === undefined || columns < 70
          ? ''
          : `${green('█'.repeat(filled))}${dim('░'.repeat(BAR_WIDTH - filled))} `;
      const percent = share === undefined ? '' : `${Math.floor(100 * share)} %, `;
      const text = `${percent}${rowsRead.toLocaleString('en-US')} rows of ${name}`;
      terminal.writeError(`${wipeLine}${bar}${text.slice(0, columns - (bar === '' ? 1 : BAR_WIDTH + 2))}`);
    },
    wipe: () => terminal.writeError(wipeLine),
  };
}
