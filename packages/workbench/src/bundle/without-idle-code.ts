import type { Plugin } from 'esbuild';

/** Where zod makes JSON Schema of its schemas: 5 kB of the page, which makes none. */
const makers = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;

const noSchemas = `
const absent = () => { throw new Error('A page makes no JSON Schema.'); };
export const createToJSONSchemaMethod = () => absent;
export const createStandardJSONSchemaMethod = () => absent;
export const allProcessors = {};
export { absent as toJSONSchema, absent as process, absent as processSchema, absent as initializeContext };
export { absent as handleUnrepresentable, absent as extractDefs, absent as finalize };
`;

/** Where zod parses values that contain themselves: what the page reads came as text, and cannot. */
const cycles = /[\\/]zod[\\/]v4[\\/]core[\\/]memoizer\.js$/;

const noCycles = `
export class $ZodCyclicError extends Error {}
export const isRecursiveSchema = () => false;
export const isBackEdge = () => false;
export const memoizer = () => undefined;
`;

/** Where Parquet holds shapes: no field of a home is one. */
const shapes = /[\\/]hyparquet[\\/]src[\\/](wkb|geoparquet)\.js$/;

const noShapes = `
export const wkbToGeojson = () => undefined;
export const markGeoColumns = () => {};
`;

/** Leaves out of the page what it never asks of its libraries. */
export const withoutIdleCode: Plugin = {
  name: 'without-idle-code',
  setup(build) {
    build.onLoad({ filter: makers }, () => ({ contents: noSchemas, loader: 'js' }));
    build.onLoad({ filter: cycles }, () => ({ contents: noCycles, loader: 'js' }));
    build.onLoad({ filter: shapes }, () => ({ contents: noShapes, loader: 'js' }));
  },
};
