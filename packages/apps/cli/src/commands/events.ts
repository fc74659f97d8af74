import { hazardKinds, parseHazardEvents } from '@leeward/engine/events';
import type { HazardEventItem } from '@leeward/registry';
import { isObject } from '@leeward/terms';
import { type Command, Option } from 'commander';
import { CommandError } from '../command-error.ts';
import { readJsonInput } from '../files/json-input.ts';
import { type AskRegistry, type RegistryOptions, withRegistry } from '../rules/registry/registry-access.ts';
import type { Terminal } from '../terminal.ts';

interface EventOptions extends RegistryOptions {
  readonly revision?: string;
  readonly why?: string;
}

interface PostOptions extends EventOptions {
  readonly id?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly position?: string;
  readonly area?: string;
  readonly states?: string;
  readonly counties?: string;
  readonly alert?: string;
  readonly magnitude?: string;
  readonly from?: string;
  readonly until?: string;
}

/** `leeward events …`: storms and other events, at a service or in its store. */
export function eventsCommand(group: Command, terminal: Terminal): void {
  const add = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .option('--url <url>', 'a service that runs, instead of its store (LEEWARD_URL)')
      .option('--token <token>', 'an operator’s token (LEEWARD_TOKEN); in the store default the command line itself')
      .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'));
  const change = (name: string, description: string): Command =>
    add(name, description)
      .option('--revision <number>', 'the revision that was read')
      .option('--why <line>', 'why, kept in the audit log');
  const at = (options: RegistryOptions, work: (ask: AskRegistry) => Promise<void>) =>
    withRegistry({ ...options, command: 'leeward events' }, terminal, work);

  add('list', 'List the events, newest first.')
    .option('--past', 'also those that ended more than a year ago')
    .action((options: EventOptions & { readonly past?: boolean }) =>
      at(options, async (ask) => {
        const items: HazardEventItem[] = [];
        let cursor: string | null = null;
        do {
          const page: { items: HazardEventItem[]; next: string | null } = await ask('hazardEvents', 'list', {
            limit: 200,
            ...(options.past ? { include_past: true } : {}),
            ...(cursor === null ? {} : { cursor }),
          });
          items.push(...page.items);
          cursor = page.next;
        } while (cursor !== null);
        if (options.format === 'json') terminal.write(`${JSON.stringify(items)}\n`);
        else if (items.length === 0) terminal.write('There are no events.\n');
        else for (const item of items) terminal.write(`${lineOf(item)}\n`);
      }),
    );

  change('post', 'Post an event, or replace one with --revision. Every process has it within two seconds.')
    .argument('[file]', 'a JSON file with one event or a list, - for standard input; or describe one with options')
    .option('--id <id>', 'id of your own, like al05-2026')
    .option('--kind <kind>', `${hazardKinds.join(', ')}, or x_… of your own`)
    .option('--name <name>', 'like Elena; messages quote it')
    .option('--position <latitude,longitude>', 'center of a storm, epicenter: 27.1,-84.2')
    .option('--area <file>', 'a GeoJSON Polygon or MultiPolygon')
    .option('--states <states>', 'affected states, like fl,al')
    .option('--counties <fips>', 'affected counties, like 12057,12103')
    .option('--alert <alert>', 'none, watch or warning')
    .option('--magnitude <number>', 'of an earthquake, category of a hurricane')
    .option('--from <instant>', 'start, with an offset (default now)')
    .option('--until <instant>', 'first instant after it (default open)')
    .action(async (file: string | undefined, options: PostOptions) => {
      const events = file === undefined ? [await eventOf(options, terminal)] : await eventsIn(file, terminal);
      await at(options, async (ask) => {
        for (const event of events) {
          print(await ask('hazardEvents', 'post', { event, ...stepOf(options) }), options, terminal);
        }
      });
    });

  change('end', 'End an event. Hours that rules add to its end still count.')
    .argument('<id>', 'id of the event')
    .option('--until <instant>', 'first instant after it (default now)')
    .action((id: string, options: PostOptions) =>
      at(options, async (ask) => {
        const until = options.until === undefined ? {} : { until: options.until };
        print(await ask('hazardEvents', 'end', { event_id: id, ...until, ...stepOf(options) }), options, terminal);
      }),
    );

  change('delete', 'Delete an event that was posted by mistake.')
    .argument('<id>', 'id of the event')
    .action((id: string, options: EventOptions) =>
      at(options, async (ask) => {
        const item = await ask('hazardEvents', 'remove', { event_id: id, ...stepOf(options) });
        if (options.format === 'json') terminal.write(`${JSON.stringify(item)}\n`);
        else terminal.write(`Deleted ${lineOf(item)}\n`);
      }),
    );
}

function stepOf({ revision, why }: EventOptions): object {
  return {
    ...(revision === undefined ? {} : { revision: Number(revision) }),
    ...(why === undefined ? {} : { why }),
  };
}

async function eventOf(options: PostOptions, terminal: Terminal): Promise<object> {
  const { id, kind, name, position, area, states, counties, alert, magnitude, from, until } = options;
  if (id === undefined || kind === undefined) {
    throw new CommandError(
      'Give a file, or describe the event: --id, --kind, and --position, --area, --states or --counties.',
      {
        exitCode: 2,
      },
    );
  }
  const [latitude, longitude, ...rest] = (position ?? '').split(',').map((part) => Number(part.trim() || Number.NaN));
  if (position !== undefined && (rest.length > 0 || !Number.isFinite(latitude) || !Number.isFinite(longitude))) {
    throw new CommandError(`--position is ${JSON.stringify(position)}; give latitude and longitude, like 27.1,-84.2.`, {
      exitCode: 2,
    });
  }
  return {
    id,
    kind,
    ...(name === undefined ? {} : { name }),
    ...(position === undefined ? {} : { position: { latitude, longitude } }),
    ...(area === undefined ? {} : { area: await geometryIn(area, terminal) }),
    ...(states === undefined ? {} : { states: listOf(states) }),
    ...(counties === undefined ? {} : { counties: listOf(counties) }),
    ...(alert === undefined ? {} : { alert }),
    ...(magnitude === undefined ? {} : { magnitude: Number(magnitude) }),
    from: from ?? terminal.now().toISOString(),
    until: until ?? null,
  };
}

/** A list is checked as a whole before its first event is posted. */
async function eventsIn(file: string, terminal: Terminal): Promise<readonly unknown[]> {
  const { value } = await readJsonInput(file, terminal, 'The events');
  const list =
    isObject(value) && Array.isArray(value['events']) ? value['events'] : Array.isArray(value) ? value : [value];
  const parsed = parseHazardEvents(list);
  if (parsed.ok) return list;
  const lines = parsed.faults.map(({ path, message, code }) => `  ${path.slice(1)}: ${message} (${code})`);
  throw new CommandError(['The events are refused; none was posted:', ...lines].join('\n'));
}

/** The geometry of a GeoJSON file. */
async function geometryIn(file: string, terminal: Terminal): Promise<unknown> {
  const { value } = await readJsonInput(file, terminal, 'The area');
  return isObject(value) && value['type'] === 'Feature' ? value['geometry'] : value;
}

function listOf(text: string): string[] {
  return text.split(',').map((each) => each.trim());
}

function print(item: HazardEventItem, options: RegistryOptions, terminal: Terminal): void {
  terminal.write(options.format === 'json' ? `${JSON.stringify(item)}\n` : `${lineOf(item)}\n`);
}

function lineOf({ event, state, revision }: HazardEventItem): string {
  const { id, kind, name, from, until } = event;
  const words = [kind, name].filter((word) => typeof word === 'string').join(' ');
  const end = typeof until === 'string' ? `until ${until}` : 'no end';
  return `${id}: ${words}, ${state}, from ${from}, ${end} (revision ${revision})`;
}
