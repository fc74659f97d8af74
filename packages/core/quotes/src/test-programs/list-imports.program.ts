/** Prints the modules that the package, its testing tools and each queue load. */
import { registerHooks } from 'node:module';

let loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier);
    return next(specifier, context);
  },
});
const seen: Record<string, string[]> = {};
for (const path of [
  '../index.ts',
  '../testing/index.ts',
  '../queues/bullmq.ts',
  '../queues/pg-boss.ts',
  '../queues/p-queue.ts',
]) {
  loaded = [];
  await import(path);
  seen[path] = loaded;
}
process.stdout.write(JSON.stringify(seen));
