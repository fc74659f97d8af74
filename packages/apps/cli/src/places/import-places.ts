import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  type ColumnMap,
  type ColumnRole,
  columnRoles,
  type ImportProgress,
  type ImportReport,
  importAddresses,
  type RecordKind,
  recordKinds,
} from '@leeward/address-book';
import { createColors } from 'picocolors';
import { distanceSettings } from '../coast/distance-settings.ts';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { makeFolder, nameDataFolder } from '../make-folder.ts';
import { addressBookPath } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';

export interface ImportCommandOptions {
  readonly source?: string;
  readonly state?: string;
  readonly attribution?: string;
  readonly kind?: string;
  readonly radius?: string;
  readonly columns?: string;
  readonly layer?: string;
  readonly json?: true;
}

/** Ctrl+C stops it; the same command resumes. */
export async function importPlaces(file: string, options: ImportCommandOptions, terminal: Terminal): Promise<void> {
  const path = resolve(terminal.folder, file);
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new CommandError(`There is no file ${file}.`, { exitCode: 2 });
  const { dataFolder } = distanceSettings(terminal);
  const settings = {
    kind: readKind(options.kind),
    errorRadiusMeters: readRadius(options.radius),
    columns: readColumns(options.columns),
  };
  makeFolder(dataFolder, nameDataFolder);
  const stop = new AbortController();
  const onInterrupt = () => stop.abort(new CommandError('Stopped; the same command goes on from there.'));
  process.once('SIGINT', onInterrupt);
  const progress = createImportProgress(terminal, basename(path));
  try {
    const report = await importAddresses({
      database: addressBookPath(dataFolder),
      from: path,
      source: options.source ?? basename(file),
      state: options.state,
      attribution: options.attribution,
      layer: options.layer,
      ...settings,
      onProgress: progress.show,
      signal: stop.signal,
      now: () => terminal.now(),
    });
    progress.wipe();
    terminal.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report));
  } finally {
    progress.wipe();
    process.off('SIGINT', onInterrupt);
  }
}

function readKind(text: string | undefined): RecordKind | undefined {
  const kind = recordKinds.find((each) => each === text?.toLowerCase());
  if (text !== undefined && kind === undefined) {
    throw new CommandError(`--kind is ${JSON.stringify(text)}; give ${recordKinds.join(', ')}.`);
  }
  return kind;
}

function readRadius(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const meters = Number(text);
  if (!(meters > 0 && meters <= 100_000)) throw new CommandError(`--radius is ${JSON.stringify(text)}; give meters.`);
  return meters;
}

/** `number=HOUSE_NO,street=DIR+NAME+TYPE` */
function readColumns(text: string | undefined): ColumnMap | undefined {
  if (text === undefined) return undefined;
  const map: Partial<Record<ColumnRole, readonly string[]>> = {};
  for (const pair of text.split(',')) {
    const [key = '', names = ''] = pair.split('=', 2).map((part) => part.trim());
    const role = roleNames.get(key.toLowerCase());
    if (role === undefined || names === '') {
      const message = `--columns has ${JSON.stringify(pair)}; give role=COLUMN, of the roles ${columnRoles.join(', ')}.`;
      throw new CommandError(message);
    }
    map[role] = names.split('+').map((name) => name.trim());
  }
  return map;
}

const roleNames: ReadonlyMap<string, ColumnRole> = new Map([
  ...columnRoles.map((role) => [role, role] as const),
  ['lon', 'longitude'],
  ['lng', 'longitude'],
  ['lat', 'latitude'],
  ['zipcode', 'zip'],
]);

function describeReport(report: ImportReport): string {
  const { source, format, rowsRead, houses, ranges, duplicates, zipsByPosition, resumedAtRow } = report;
  const lines = [
    `${source}: ${formatCount(houses)} houses and ${formatCount(ranges)} ranges of house numbers, of ${formatCount(rowsRead)} rows (${format}).`,
  ];
  if (resumedAtRow > 0) lines.push(`Taken up again at row ${formatCount(resumedAtRow)}.`);
  if (duplicates > 0) lines.push(`${formatCount(duplicates)} were there already: units of a building.`);
  if (zipsByPosition > 0)
    lines.push(`${formatCount(zipsByPosition)} rows have no ZIP code; the nearest ZIP point stands for it.`);
  for (const [code, number] of Object.entries(report.rejected)) lines.push(`${formatCount(number)} left out: ${code}`);
  for (const [code, number] of Object.entries(report.doubtful)) lines.push(`${formatCount(number)} doubtful: ${code}`);
  for (const { file, row, message } of report.examples) lines.push(`  ${file}, row ${row}: ${message}`);
  lines.push(...report.recognized);
  return `${lines.join('\n')}\n`;
}

const BAR_WIDTH = 24;
const wipeLine = '\r\u001b[K';

/** Progress on one line. Prints nothing without a terminal. */
function createImportProgress(terminal: Terminal, name: string) {
  const { columns } = terminal;
  if (columns === undefined) return { show() {}, wipe() {} };
  const { green, dim } = createColors(terminal.inColor);
  return {
    show({ rowsRead, bytesRead, totalBytes }: ImportProgress) {
      const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, bytesRead / totalBytes);
      const filled = Math.round(BAR_WIDTH * (share ?? 0));
      const bar =
        share === undefined || columns < 70
          ? ''
          : `${green('█'.repeat(filled))}${dim('░'.repeat(BAR_WIDTH - filled))} `;
      const percent = share === undefined ? '' : `${Math.floor(100 * share)} %, `;
      const text = `${percent}${rowsRead.toLocaleString('en-US')} rows of ${name}`;
      terminal.writeError(`${wipeLine}${bar}${text.slice(0, columns - (bar === '' ? 1 : BAR_WIDTH + 2))}`);
    },
    wipe: () => terminal.writeError(wipeLine),
  };
}
