import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

/**
 * One build for every package. Entries are read from the package's own `exports`, so that what is
 * built and what is promised cannot drift apart. Run from a package's folder.
 */
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string | { '@leeward/source'?: string }>;
  bin?: Record<string, string>;
  leeward?: { entries?: string[] };
};
const sources = Object.values(manifest.exports)
  .map((target) => (typeof target === 'string' ? undefined : target['@leeward/source']))
  .filter((source): source is string => source !== undefined);
// Entries that no export names: worker scripts, and the program behind a `bin`.
const extra = manifest.leeward?.entries ?? [];

/** Named by its place under `src`, so that `dist` mirrors it however many entries there are. */
const named = (paths: readonly string[]) =>
  Object.fromEntries(
    paths.map((path) => [path.replace(/^\.\/src\//, '').replace(/\.ts$/, ''), path.replace(/^\.\//, '')]),
  );

export default defineConfig({
  entry: named([...sources, ...extra]),
  format: 'esm',
  target: 'node22',
  // Built-ins of Node stay imports; what must run in a browser imports none, and a test bundles it.
  platform: 'node',
  dts: sources.length > 0 ? { entry: named(sources) } : false,
  clean: true,
  sourcemap: true,
  splitting: true,
  // tsup would turn `node:sqlite` into `sqlite`, which does not exist.
  removeNodeProtocol: false,
});
