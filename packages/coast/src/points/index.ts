export { createPointCoast, type PointCoast, type PointShore } from './point-coast.ts';
