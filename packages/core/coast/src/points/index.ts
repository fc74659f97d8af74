export { createPointIndex, type NearPoint, type PointIndex } from './point-index.ts';
