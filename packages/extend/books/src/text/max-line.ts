/** Maximum number of characters of a line. */
export const MAX_LINE_CHARACTERS = 1 << 20;
