import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkHttpCarrier,
  checkRatingPlan,
  createHttpCarrier,
  createRateTableCarrier,
  type RatingPlan,
  type Secrets,
} from '@leeward/carriers';
import { type CarrierAdapter, type Fault, type QuotedLine, type VerdictSource, withVerdict } from '@leeward/quotes';
import { isObject } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { type FileFault, printFaults } from '../files/file-fault.ts';
import { type JsonFile, readJsonFile } from '../files/json-file.ts';
import { nearPath } from '../near-path.ts';

export interface CarrierAdapterFiles {
  /** Folder with `<carrier>/rating-plan.json` or `<carrier>/http-carrier.json`. */
  readonly carriersFolder: string;
  /** Base of file names in faults. */
  readonly folder: string;
  /** Called first: ineligible homes are not rated. */
  readonly verdictSource: VerdictSource;
  readonly secrets: Secrets;
  /** In addition to homes. */
  readonly lines?: readonly QuotedLine[];
}

/** @throws {CommandError} With the faults of all files. */
export function readCarrierAdapters({
  carriersFolder,
  folder,
  verdictSource,
  secrets,
  lines = [],
}: CarrierAdapterFiles): CarrierAdapter[] {
  const faults: FileFault[] = [];
  const plans = new Map<string, RatingPlan[]>();
  const overHttp = new Map<string, CarrierAdapter>();
  const read = (path: string, use: (file: JsonFile) => readonly Fault[]) => {
    const file = nearPath(path, folder);
    const json = readJsonFile(file, readFileSync(path));
    if (!('value' in json)) faults.push(...json);
    else for (const fault of use(json)) faults.push({ ...fault, file, line: json.lineOf(fault.path) });
  };
  for (const path of filesNamed(/^rating-plan(?:\..+)?\.json$/, carriersFolder)) {
    read(path, ({ value }) => {
      const { plan, faults: planFaults } = checkRatingPlan(value, { lines });
      if (plan) plans.set(plan.carrierKey, [...(plans.get(plan.carrierKey) ?? []), plan]);
      return planFaults;
    });
  }
  for (const path of httpCarrierFiles(carriersFolder)) {
    read(path, ({ value }) => {
      const { carrier, faults: carrierFaults } = checkHttpCarrier(value, { secrets, lines });
      if (!carrier) return carrierFaults;
      const { key } = carrier.carrier;
      if (plans.has(key) || overHttp.has(key)) return [askedTwice(key)];
      overHttp.set(key, withVerdict(createHttpCarrier(carrier, { secrets }), verdictSource));
      return [];
    });
  }
  if (faults.length > 0) throw new CommandError(`Carriers that cannot quote:\n\n${printFaults(faults)}`);
  const byTable = [...plans.values()].map(([first, ...rest]) =>
    createRateTableCarrier({ plans: [first!, ...rest], verdictSource }),
  );
  return [...byTable, ...overHttp.values()];
}

/** Keys of carriers with quoting files. Skips faulty files: the service reports them. */
export function carrierKeysIn(carriersFolder: string): string[] {
  return filesNamed(/^(?:http-carrier|rating-plan(?:\..+)?)\.json$/, carriersFolder).flatMap((path) => {
    const json = readJsonFile(path, readFileSync(path));
    const carrier = 'value' in json && isObject(json.value) ? json.value['carrier'] : undefined;
    const key = isObject(carrier) ? carrier['key'] : undefined;
    return typeof key === 'string' ? [key] : [];
  });
}

export function httpCarrierFiles(carriersFolder: string): string[] {
  return filesNamed(/^http-carrier\.json$/, carriersFolder);
}

function askedTwice(key: string): Fault {
  const message = `The carrier ${key} has a rating plan or another http-carrier.json already; keep one of them.`;
  return { path: '/carrier/key', code: 'asked_twice', message };
}

function filesNamed(pattern: RegExp, carriersFolder: string): string[] {
  if (!existsSync(carriersFolder) || !statSync(carriersFolder).isDirectory()) return [];
  return readdirSync(carriersFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: carrier }) =>
      readdirSync(join(carriersFolder, carrier))
        .filter((name) => pattern.test(name))
        .map((name) => join(carriersFolder, carrier, name)),
    )
    .sort();
}
