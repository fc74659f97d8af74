export { type CountyExtent, countyExtent } from './extents.ts';
