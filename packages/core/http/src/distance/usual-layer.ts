/** Taken where a request names no layer. */
export const USUAL_LAYER = 'tidal';
