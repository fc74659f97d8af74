/** Prints the modules that importing the package loads, and those that opening a SQLite database adds. */
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
