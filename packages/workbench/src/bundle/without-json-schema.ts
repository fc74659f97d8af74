import type { Plugin } from 'esbuild';

/** Where zod makes JSON Schema of its schemas: 5 kB of the page, which makes none. */
const makers = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;

const absent = `
const absent = () => { throw new Error('A page makes no JSON Schema.'); };
export const createToJSONSchemaMethod = () => absent;
export const createStandardJSONSchemaMethod = () => absent;
export const allProcessors = {};
export { absent as toJSONSchema, absent as process, absent as processSchema, absent as initializeContext };
export { absent as handleUnrepresentable, absent as extractDefs, absent as finalize };
`;

/** Leaves out of the page what it never asks of zod. */
export const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  setup(build) {
    build.onLoad({ filter: makers }, () => ({ contents: absent, loader: 'js' }));
  },
};
