/**
 * Preloaded where the suite runs on a Node that cannot read `using` (22): modules of the workspace that say it are lowered as tsup
 * lowers what is published. Every other module is read by Node as it stands, as on later ones.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const says = /^\s*(?:for\s*\()?(?:await\s+)?using\s+\w+\s*(?:=|of\b)/m;
let transformSync;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !/\.ts(?:\?.*)?$/.test(url) || url.includes('/node_modules/'))
      return nextLoad(url, context);
    const path = fileURLToPath(url);
    const text = readFileSync(path, 'utf8');
    if (!says.test(text)) return nextLoad(url, context);
    transformSync ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('esbuild').transformSync;
    const { code } = transformSync(text, {
      loader: 'ts',
      format: 'esm',
      target: 'node22',
      sourcefile: path,
      sourcemap: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
