import { runCommandLine } from './run-command-line.ts';
import { processTerminal } from './terminal.ts';

// The reader may have closed the pipe (`… | head`): drop output, let the command finish.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.exitCode = 1;
  process.stderr.write(`leeward: What is printed cannot be written (${code}).\n`);
});
process.stderr.on('error', () => {});

const exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
process.exitCode ||= exitCode;
