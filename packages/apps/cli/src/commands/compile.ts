import type { Command } from 'commander';
import type { CompileOptions } from '../artifact/compile-command.ts';
import { lineOption } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';

export function compileCommand(command: Command, terminal: Terminal): void {
  command
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option(...lineOption)
    .option('--from <date>', 'first effective date, YYYY-MM-DD')
    .option('--to <date>', 'last effective date, included')
    .option('--out <file>', 'the artifact to write, such as home.leeward')
    .option('--coast', 'add the shores of the United States, 3 MB: readers then measure rows with lat and lng')
    .option('--sql <dialect>', 'write a view instead: duckdb, postgresql, clickhouse, snowflake or bigquery')
    .option('--table <name>', 'with --sql, the table of homes')
    .option('--columns <list>', 'with --sql, its columns: the names of fields, or field=column')
    .option('--view <name>', 'with --sql, the name of the view (default leeward_statuses)')
    .option('--prefix <text>', 'with --sql, the beginning of the columns of carriers')
    .option('--strict', 'refuse rule sets with parts that cannot be compiled, and list them')
    .option('--check <file>', 'compare the answers of an artifact with its conformance vectors')
    .option('--json', 'print as JSON')
    .action(async (options: CompileOptions) => {
      const { compileRules } = await import('../artifact/compile-command.ts');
      await compileRules(options, terminal);
    });
}
