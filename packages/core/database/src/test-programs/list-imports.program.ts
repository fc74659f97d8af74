/** Prints the modules of the package, and those of SQLite. */
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier);
    return next(specifier, context);
  },
});
const { openDatabase } = await import('../index.ts');
const atImport = [...loaded];
await (await openDatabase('sqlite::memory:')).close();
process.stdout.write(JSON.stringify({ atImport, afterSqlite: loaded }));
