/** Most characters of a line, as everywhere where rows are read. */
export const MAX_LINE_CHARACTERS = 1 << 20;
