/** `npm run bench -- artifact [--quick]`: the coast kernel and the search that it replaces. */
import { report } from '../report.ts';
import { measureCoastKernel } from './coast-kernel.ts';

const isQuick = process.argv.includes('--quick');
const { rows, largestDifference } = measureCoastKernel(isQuick ? 10_000 : 100_000, isQuick ? 2 : 5);
const timeOf = (name: string) => rows.find((row) => row.name === name)!.median;
const ratioOf = (points: string) => timeOf(`${points}: search, warm`) / timeOf(`${points}: kernel`);
const ratios = { 'near the coast': ratioOf('near the coast'), inland: ratioOf('inland') };
report({ benchmark: 'artifact', rows, ratios, meaning: 'search ÷ kernel' }, process.argv.slice(2));
if (largestDifference > 0.001) throw new Error(`The kernel and the search differ by up to ${largestDifference} m.`);
