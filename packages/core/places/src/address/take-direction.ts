import type { Tail } from './take-end.ts';

const direction = /^(?:n|s|e|w|n\.?[ew]|s\.?[ew]|north|south|east|west|north(?:east|west)|south(?:east|west))\.?$/i;
const quadrant = /^[ns]\.?[ew]\.?$/i;

/** `NW`, `N.W.`, `West`. */
function isDirection(word: string): boolean {
  return direction.test(word);
}

/** The direction that a part behind a street is or begins with: `West`, `N.W. Suite 4`, `s. w.`. Only a quadrant may precede other words. */
export function startsWithDirection(part: string): string | undefined {
  if (isDirection(part)) return part;
  return /^[ns]\.?\s?[ew]\.?(?=\s|$)/i.exec(part)?.[0];
}

/** No city begins with it: `NW`, as in Washington. */
export function isQuadrant(word: string): boolean {
  return quadrant.test(word);
}

/** `123 Main St, Apt 4, NW` becomes `123 Main St NW, Apt 4`. */
export function joinDirections(tail: Tail): Tail {
  const parts: (readonly string[])[] = [];
  for (const part of tail) {
    const [word] = part;
    const street = part.length === 1 && isDirection(word!) ? parts.findIndex(isStreet) : -1;
    if (street < 0) parts.push(part);
    else parts[street] = [...parts[street]!, word!];
  }
  return parts;
}

function isStreet(part: readonly string[]): boolean {
  return part.length > 1 && /^\d/.test(part[0]!);
}
