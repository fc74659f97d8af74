import { resolve } from 'node:path';
import type { Command } from 'commander';
import { demoCarriersOf } from '../carriers/demo-carriers.ts';
import { CommandError } from '../command-error.ts';
import { type Demo, demoFileAtHand, demoPath, readDemo } from '../demo/demo-file.ts';
import { demoLines } from '../demo/demo-lines.ts';
import { type DemoKeys, isWhole } from '../demo/seed-demo.ts';
import { demoRequests } from '../demo/welcome.ts';
import { openLinesOn } from '../lines/lines-on.ts';
import { nearPath } from '../near-path.ts';
import { readSettings } from '../settings/read-settings.ts';
import { readStoreSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';

/** `leeward demo`: the links and example requests of the demo in the data folder. */
export function demoCommand(command: Command, terminal: Terminal): void {
  command.action(async () => {
    const settings = readSettings(terminal, [], { demo: true });
    const { dataFolder } = readStoreSettings(settings, terminal.folder);
    const keys: (Demo & Partial<DemoKeys>) | undefined = readDemo(dataFolder);
    if (!isWhole(keys)) {
      const path = nearPath(demoPath(dataFolder), terminal.folder);
      throw new CommandError(`There is no demo here: ${path} is missing. Start one with leeward serve --demo.`);
    }
    const names = (settings.value('lines') ?? []).filter((name) => name !== 'home');
    const { lines } = await openLinesOn(names, terminal.folder);
    const opened = lines.map((line) => ({
      line,
      carriersFolder: resolve(terminal.folder, settings.value('carriers') ?? demoCarriersOf(line.vocabulary)),
    }));
    terminal.write(
      demoRequests({
        url: keys.url,
        keys,
        homeFile: demoFileAtHand('home', terminal.folder),
        quoteFile: demoFileAtHand('quote', terminal.folder),
        lines: demoLines(opened),
      }),
    );
  });
}
