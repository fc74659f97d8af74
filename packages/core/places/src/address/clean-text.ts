import { type AddressProblem, quote } from './address-problem.ts';

const MAX_LENGTH = 500;

const pictures = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\ufe0f|\u20e3/gu;
const invisible = /[\p{Cf}\p{Cc}]/gu;

/** The text in composed form without emoji, control characters and doubled blanks; line ends become commas. */
export function cleanText(
  text: string,
): { text: string; problem?: undefined } | { text?: undefined; problem: AddressProblem } {
  if (text.length > MAX_LENGTH) {
    const message = `An address has at most ${MAX_LENGTH} characters; received ${text.length}.`;
    return { problem: { code: 'too_long', message } };
  }
  if (!text.isWellFormed()) {
    return { problem: { code: 'unreadable', message: `${quote(text)} holds half a character (a lone surrogate).` } };
  }
  const clean = text
    .normalize('NFC')
    .trim()
    .replace(/[\r\n;|]+/g, ', ')
    .replace(/\t/g, ' ')
    .replace(pictures, ' ')
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean === '')
    return {
      problem: { code: 'empty', message: 'The address is empty: give a street, city and state, or a ZIP code.' },
    };
  if (!/[\p{L}\p{N}]/u.test(clean)) {
    return { problem: { code: 'unreadable', message: `${quote(text)} holds neither letters nor digits.` } };
  }
  return { text: clean };
}
