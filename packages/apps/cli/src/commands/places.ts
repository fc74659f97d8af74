import type { Command } from 'commander';
import { importPlaces } from '../places/import-places.ts';
import { listPlaces } from '../places/list-places.ts';
import { measurePlaces } from '../places/measure-places.ts';
import { removePlaces } from '../places/remove-places.ts';
import type { Terminal } from '../terminal.ts';

export function placesCommand(places: Command, terminal: Terminal): void {
  places
    .command('import')
    .description(
      'Import addresses: Census address ranges (ADDRFEAT), OpenAddresses, the National Address Database, or any table.',
    )
    .argument('<file>', 'a .shp, .geojson, .csv or .zip, packed with gzip or not; or a folder of them')
    .option(
      '--source <name>',
      'what the addresses are called; importing it again replaces them (default the file’s name)',
    )
    .option('--state <state>', 'state of rows without one; skips rows of other states')
    .option('--attribution <text>', 'attribution that the data’s licence requires')
    .option('--kind <kind>', 'what the points are: rooftop, entrance, parcel, access or interpolated')
    .option('--radius <meters>', 'how far a home may be from its point')
    .option(
      '--columns <map>',
      'columns by content, separated by commas: number=HOUSE_NO, street=DIR+NAME+TYPE, longitude=X, latitude=Y',
    )
    .option('--layer <file>', 'which file of a zip that holds several')
    .option('--json', 'the report as JSON')
    .action((file: string, options) => importPlaces(file, options, terminal));
  places
    .command('list')
    .description('List imports with their time.')
    .option('--json', 'as JSON')
    .action((options) => listPlaces(options, terminal));
  places
    .command('remove')
    .description('Take the addresses of a source out.')
    .argument('<source>')
    .action((source: string) => removePlaces(source, terminal));
  places
    .command('measure')
    .description('Measure the error of interpolated locations: interpolates known houses as if they were unknown.')
    .option('--json', 'as JSON')
    .action((options) => measurePlaces(options, terminal));
}
