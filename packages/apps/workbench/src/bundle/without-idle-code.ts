import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** zod's JSON Schema writer: 5 kB that the page never uses. */
const makers = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/;

const noSchemas = `
const absent = () => { throw new Error('A page makes no JSON Schema.'); };
export const createToJSONSchemaMethod = () => absent;
export const createStandardJSONSchemaMethod = () => absent;
export const allProcessors = {};
export { absent as toJSONSchema, absent as process, absent as processSchema, absent as initializeContext };
export { absent as handleUnrepresentable, absent as extractDefs, absent as finalize };
`;

/** zod's parser of cyclic values: the page reads only text, which cannot contain cycles. */
const cycles = /[\\/]zod[\\/]v4[\\/]core[\\/]memoizer\.js$/;

const noCycles = `
export class $ZodCyclicError extends Error {}
export const isRecursiveSchema = () => false;
export const isBackEdge = () => false;
export const memoizer = () => undefined;
`;

/** zod's code generator: the content security policy of the page forbids it. */
const programs = /[\\/]zod[\\/]v4[\\/]core[\\/]doc\.js$/;

const noPrograms = 'export class Doc {}';

/** zod's messages: the page words every fault that it shows. */
const words = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/;

const noWords = `export default () => ({ localeError: () => 'what is allowed there' });`;

/** zod's text formats: those that no schema of the page uses are removed, with the code that only they need. */
const formats = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;

const unnamed =
  /^export const (Zod(?:Email|GUID|UUID|URL|Emoji|NanoID|CUID2?|ULID|XID|KSUID|IPv[46]|MAC|CIDRv[46]|Base64|Base64URL|E164|CreditCard|IBAN|JWT)) = .*?\n\}\);$/gms;

/** Methods of zod schemas that the page never calls. */
const uncalled = [
  ...['email', 'url', 'jwt', 'emoji', 'guid', 'uuid', 'uuidv4', 'uuidv6', 'uuidv7', 'nanoid', 'cuid', 'cuid2', 'ulid'],
  ...['base64', 'base64url', 'xid', 'ksuid', 'ipv4', 'ipv6', 'cidrv4', 'cidrv6', 'e164'],
  ...['datetime', 'date', 'time', 'duration'],
  ...['keyof', 'catchall', 'passthrough', 'loose', 'strip', 'safeExtend', 'merge', 'omit', 'partial', 'exactPartial'],
  ...['required', 'exactOptional', 'nonoptional', 'prefault', 'encode', 'decode', 'encodeAsync', 'decodeAsync'],
  ...['safeEncode', 'safeDecode', 'safeEncodeAsync', 'safeDecodeAsync', 'parseAsync', 'validate', 'validateAsync'],
];

/** The source of schemas without those methods, and without what writes programs. */
function withoutMethods(source: string): string {
  const shorter = uncalled.reduce((text, name) => {
    const method = new RegExp(`^    (?:async )?${name}(?:\\(|: (?:async )?function).*?^    \\},\\n`, 'ms');
    if (!method.test(text)) throw new Error(`zod’s schemas have no method ${name} to leave out of the page.`);
    return text.replace(method, '');
  }, source);
  return shorter.replace('core.$ZodObjectJIT.init(inst, def)', 'core.$ZodObject.init(inst, def)');
}

/** Parquet geometry: no field of a home is a shape. */
const shapes = /[\\/]hyparquet[\\/]src[\\/](wkb|geoparquet)\.js$/;

const noShapes = `
export const wkbToGeojson = () => undefined;
export const markGeoColumns = () => {};
`;

/** Removes unused code of libraries from the page. */
export const withoutIdleCode: Plugin = {
  name: 'without-idle-code',
  setup(build) {
    build.onLoad({ filter: makers }, () => ({ contents: noSchemas, loader: 'js' }));
    build.onLoad({ filter: cycles }, () => ({ contents: noCycles, loader: 'js' }));
    build.onLoad({ filter: programs }, () => ({ contents: noPrograms, loader: 'js' }));
    build.onLoad({ filter: words }, () => ({ contents: noWords, loader: 'js' }));
    build.onLoad({ filter: formats }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: withoutMethods(text.replace(unnamed, 'export const $1 = undefined;')), loader: 'js' };
    });
    build.onLoad({ filter: shapes }, () => ({ contents: noShapes, loader: 'js' }));
  },
};
