import { createHook } from 'node:async_hooks';
import { createRequire } from 'node:module';

// Imports the named modules one after another, and prints the side effects of each import.

/** Side effects of one import; all empty if it only loads modules. */
export interface ImportReport {
  /** Timers, sockets, processes, workers, … that were made, even if they are over already. */
  readonly started: readonly string[];
  /** Globals, built-in prototypes and built-in modules that are no longer what they were, or are new: `Array.prototype.at`. */
  readonly changed: readonly string[];
  /** Events of the process that somebody listens to now. */
  readonly listening: readonly string[];
  /** The module's report of its side effects: its export `told`. */
  readonly told?: unknown;
  /** Why it could not be imported. */
  readonly failure?: string;
}

/** Resources of module loading itself, and of a module that draws random bytes in advance. */
const usual = new Set(['PROMISE', 'TickObject', 'RANDOMBYTESREQUEST']);
const builtIns = [
  'http',
  'https',
  'net',
  'tls',
  'dns',
  'fs',
  'events',
  'stream',
  'timers',
  'process',
  'module',
  'crypto',
];
const require = createRequire(import.meta.url);

// Node makes these when they are first looked at.
for (const name of builtIns) await import(`node:${name}`);
void [globalThis.Request, globalThis.fetch, globalThis.WebSocket, globalThis.navigator];

const started = new Set<string>();
createHook({
  init(_, type) {
    if (!usual.has(type)) started.add(type);
  },
}).enable();

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Every property of the globals, of their prototypes and of built-in modules, by its name. */
function takeStock(): Map<string, unknown> {
  const stock = new Map<string, unknown>();
  const take = (name: string, owner: object) => {
    for (const key of Reflect.ownKeys(owner)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(owner, key)!;
      stock.set(`${name}${String(key)}`, get ?? value);
      if (set) stock.set(`${name}${String(key)} =`, set);
    }
  };
  take('', globalThis);
  for (const [name, value] of [...stock]) {
    if (!isObject(value) || value === globalThis) continue;
    take(`${name}.`, value);
    const prototype: unknown = 'prototype' in value ? value.prototype : undefined;
    if (isObject(prototype)) take(`${name}.prototype.`, prototype);
  }
  for (const name of builtIns) take(`node:${name}.`, require(`node:${name}`) as object);
  return stock;
}

const listeners = () => new Map(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));

let stock = takeStock();

async function watch(specifier: string): Promise<ImportReport> {
  started.clear();
  const before = stock;
  const heardBefore = listeners();
  let told: unknown;
  let failure: string | undefined;
  try {
    ({ told } = (await import(specifier)) as { told?: unknown });
  } catch (error) {
    failure = String(error);
  }
  const after = takeStock();
  stock = after;
  const names = new Set([...before.keys(), ...after.keys()]);
  return {
    started: [...started],
    changed: [...names].filter(
      (name) => before.has(name) !== after.has(name) || !Object.is(before.get(name), after.get(name)),
    ),
    listening: [...listeners()].filter(([name, count]) => count !== heardBefore.get(name)).map(([name]) => name),
    ...(told === undefined ? {} : { told }),
    ...(failure === undefined ? {} : { failure }),
  };
}

const reports: Record<string, ImportReport> = {};
for (const specifier of process.argv.slice(2)) reports[specifier] = await watch(specifier);
process.stdout.write(JSON.stringify(reports));
