import { readFileSync } from 'node:fs';
import { describeIndex, formatIndexDescription, openCoastData } from '@leeward/coast';
import { coastlineUsFiles } from '@leeward/coastline-us';
import type { Command } from 'commander';
import { coastBatchCommand } from '../coast/batch-command.ts';
import { coastBuildCommand } from '../coast/build-command.ts';
import { coastCompareCommand } from '../coast/compare/compare-command.ts';
import { coastFetchCommand } from '../coast/fetch/fetch-command.ts';
import { coastNearCommand } from '../coast/near-command.ts';
import { bytesOf, orSay } from '../coast/open-coast.ts';
import { coastTilesCommand } from '../coast/tiles/tiles-command.ts';
import type { Terminal } from '../terminal.ts';

export function coastCommand(coast: Command, terminal: Terminal): void {
  coastNearCommand(coast, terminal);
  coastBatchCommand(coast, terminal);
  coast
    .command('info')
    .description('Show the content of an index or shoreline.')
    .argument('[file]', 'default the shipped files')
    .action((file: string | undefined) => orSay(() => info(file, terminal)));
  coastFetchCommand(coast, terminal);
  coastBuildCommand(coast, terminal);
  coastCompareCommand(coast, terminal);
  coastTilesCommand(coast, terminal);
}

async function info(file: string | undefined, terminal: Terminal): Promise<void> {
  if (file !== undefined) {
    terminal.write(`${formatIndexDescription(describeIndex(openCoastData(bytesOf(file, terminal), file)))}\n`);
    return;
  }
  for (const [name, url] of Object.entries(coastlineUsFiles)) {
    terminal.write(`${formatIndexDescription(describeIndex(openCoastData(readFileSync(url), name)))}\n\n`);
  }
}
