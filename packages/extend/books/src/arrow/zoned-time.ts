/** Instants cached as text: columns usually repeat days. */
const MAX_KEPT = 10_000;
const MS_A_MINUTE = 60_000;

/**
 * Formats instants in the zone of their column, with the offset, so that midnight there can be read as a date. Uses UTC without a zone
 * or for a zone unknown to this machine.
 */
export function createZonedTime(zone: string | undefined): (ms: number) => string {
  const offsetAt = offsetsOf(zone);
  const texts = new Map<number, string>();
  return (ms) => {
    let text = texts.get(ms);
    if (text !== undefined) return text;
    text = textOf(ms, offsetAt);
    if (texts.size >= MAX_KEPT) texts.clear();
    texts.set(ms, text);
    return text;
  };
}

function textOf(ms: number, offsetAt: (ms: number) => number): string {
  if (Number.isNaN(new Date(ms).getTime())) return String(ms);
  const minutes = offsetAt(ms);
  const local = new Date(ms + minutes * MS_A_MINUTE).toISOString();
  if (minutes === 0) return local;
  const away = Math.abs(minutes);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${local.slice(0, -1)}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(away / 60))}:${twoDigits(away % 60)}`;
}

/** Offset of a zone from UTC at an instant, in minutes. */
function offsetsOf(zone: string | undefined): (ms: number) => number {
  const fixed = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '');
  if (fixed) {
    const minutes = (fixed[1] === '-' ? -1 : 1) * (60 * Number(fixed[2]) + Number(fixed[3]));
    return () => minutes;
  }
  if (zone === undefined || zone === '' || zone === 'UTC') return () => 0;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return () => 0;
  }
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const offset = /([+-])(\d{2}):(\d{2})/.exec(name);
    return offset ? (offset[1] === '-' ? -1 : 1) * (60 * Number(offset[2]) + Number(offset[3])) : 0;
  };
}
