import { type HazardEvent, parseHazardEvents } from '@leeward/engine/events';
import { isObject } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import { readJsonInput } from '../files/json-input.ts';
import type { Terminal } from '../terminal.ts';

export const eventsOption = [
  '--events <file>',
  'the storms and other events to evaluate with: one, a list, or { "events": […] } (default unknown)',
] as const;

/**
 * Reads the events of a JSON file; undefined without a file.
 *
 * @throws {CommandError} With all faults.
 */
export async function readEvents(
  file: string | undefined,
  terminal: Terminal,
): Promise<readonly HazardEvent[] | undefined> {
  if (file === undefined) return undefined;
  const { file: name, value, lineOf } = await readJsonInput(file, terminal, 'The events');
  const isWrapped = isObject(value) && Array.isArray(value['events']);
  const list: unknown = isWrapped ? value['events'] : Array.isArray(value) ? value : [value];
  const parsed = parseHazardEvents(list);
  if (parsed.ok) return parsed.events;
  const faults = parsed.faults.map((fault) => {
    const path = isWrapped
      ? `/events${fault.path}`
      : Array.isArray(value)
        ? fault.path
        : fault.path.replace(/^\/0/, '');
    return { ...fault, path, file: name, line: lineOf(path) };
  });
  throw new CommandError(`The events do not fit:\n\n${printFaults(faults)}`);
}
