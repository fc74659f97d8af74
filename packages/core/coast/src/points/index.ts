export { createPointCoast, type PointCoast, type PointShore } from './point-coast.ts';
export { createPointIndex, type NearPoint, type PointIndex } from './point-index.ts';
