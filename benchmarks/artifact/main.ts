/**
 * `npm run bench -- artifact [--quick] [--rows N] [--carriers N] [--only coast|readers] [--json FILE]`: the coast kernel and the search that it replaces;
 * the readers of an artifact next to the engine, HTTP, books and json-rules-engine, on N homes.
 */
import { report } from '../report.ts';
import { measureCoastKernel } from './coast-kernel.ts';
import { measureReaders } from './readers.ts';

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const optionOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const only = optionOf('--only');
const coast = only === 'readers' ? undefined : measureCoastKernel(isQuick ? 10_000 : 100_000, isQuick ? 2 : 5);
const readers =
  only === 'coast'
    ? undefined
    : await measureReaders(
        Number(optionOf('--rows') ?? (isQuick ? 2000 : 100_000)),
        Number(optionOf('--carriers') ?? 50),
      );
const timeOf = (name: string) => coast!.rows.find((row) => row.name === name)!.median;
const ratioOf = (points: string) => timeOf(`${points}: search, warm`) / timeOf(`${points}: kernel`);
const ratios = coast ? { 'near the coast': ratioOf('near the coast'), inland: ratioOf('inland') } : {};
const rows = [...(coast?.rows ?? []), ...(readers?.rows ?? [])];
report({ benchmark: 'artifact', rows, ratios, meaning: 'search ÷ kernel' }, args);
if (coast && coast.largestDifference > 0.001)
  throw new Error(`The kernel and the search differ by up to ${coast.largestDifference} m.`);
if (readers && readers.different > 0) throw new Error(`${readers.different} statuses differ from those of the engine.`);
