export type { Band } from './bands.ts';
export type { DrawnMap, MapSize } from './draw-map.ts';
export { makePicture, type Picture, type PictureRequest } from './make-picture.ts';
export { legendOf, type PictureWords } from './picture-words.ts';
