/**
 * Runs command lines one after another, each without one package, and writes what came of each as JSON. Argument: the
 * cases as JSON.
 */
import { registerHooks } from 'node:module';
import { runWords } from './run-words.ts';
import type { WithoutPackage } from './without-package.ts';

const cases = JSON.parse(process.argv[2] ?? '[]') as readonly WithoutPackage[];
let missing = '';
registerHooks({
  resolve(name, context, next) {
    if (name === missing) throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  },
});
const outcomes: { code: number; errors: string }[] = [];
for (const { name, environment, words, folder } of cases) {
  missing = name;
  const { code, errors } = await runWords(words, { environment, folder });
  outcomes.push({ code, errors });
}
process.stdout.write(JSON.stringify(outcomes));
