import { execFileSync } from 'node:child_process';

const IGNORED =
  /(^|\/)(node_modules|dist|generated|testdata|\.leeward)\/|\.generated\.|^CHANGELOG\.md$|^corpora\/pinned\/|^scripts\/english\/|^test\/english\.test\.ts$/;
const PACKAGE_LAYERS = new Set(['core', 'extend', 'apps']);
const NOT_PRODUCT =
  /\.(test|program)\.tsx?$|^(test|benchmarks|data-recipes|mutation|contract|site|scripts)\/|\/(test-support|recipe)\//;

/** Returns the TypeScript and Markdown files of a checkout, tracked or new, relative to `root`. */
export function listFiles(root: string): string[] {
  const out = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx', '*.md'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return [...new Set(out.split('\n'))].filter((file) => file !== '' && !IGNORED.test(file)).sort();
}

/** Returns the name under which a file is counted: its package, its top folder, or `root`. */
export function groupOf(file: string): string {
  const [top, second, third] = file.split('/');
  if (top === 'packages') return PACKAGE_LAYERS.has(second ?? '') ? (third ?? 'root') : (second ?? 'root');
  if (second === undefined) return 'root';
  return top === '.changeset' ? 'changeset' : (top ?? 'root').replace(/^\./, '');
}

/** True for sources that ship: neither tests, nor scripts, nor benchmarks. */
export function isProduct(file: string): boolean {
  return !NOT_PRODUCT.test(file);
}
