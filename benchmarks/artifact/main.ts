/**
 * `npm run bench -- artifact [--quick] [--rows N] [--carriers N] [--only coast|readers|engines] [--json FILE]`: the coast kernel and the search that it
 * replaces; the readers of an artifact next to the engine, HTTP, books and json-rules-engine, on N homes. Only with `--only engines`: a whole
 * book of N homes in `leeward book run`, Spark and Ray.
 */
import { report } from '../report.ts';
import { measureCoastKernel } from './coast-kernel.ts';
import { measureReaders } from './readers.ts';
import { measureWholeBooks } from './whole-books.ts';

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const optionOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const only = optionOf('--only');
const homes = Number(optionOf('--rows') ?? (isQuick ? 2000 : 100_000));
const carriers = Number(optionOf('--carriers') ?? 50);
const coast =
  only === undefined || only === 'coast' ? measureCoastKernel(isQuick ? 10_000 : 100_000, isQuick ? 2 : 5) : undefined;
const measure = { coast: () => undefined, readers: measureReaders, engines: measureWholeBooks }[only ?? 'readers'];
if (!measure) throw new Error(`--only is "${only}"; give coast, readers or engines.`);
const readers = await measure(homes, carriers);
const timeOf = (name: string) => coast!.rows.find((row) => row.name === name)!.median;
const ratioOf = (points: string) => timeOf(`${points}: search, warm`) / timeOf(`${points}: kernel`);
const ratios = coast ? { 'near the coast': ratioOf('near the coast'), inland: ratioOf('inland') } : {};
const rows = [...(coast?.rows ?? []), ...(readers?.rows ?? [])];
report({ benchmark: 'artifact', rows, ratios, meaning: 'search ÷ kernel' }, args);
if (coast && coast.largestDifference > 0.001)
  throw new Error(`The kernel and the search differ by up to ${coast.largestDifference} m.`);
if (readers && readers.different > 0) throw new Error(`${readers.different} statuses differ.`);
