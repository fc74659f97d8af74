export { runCommandLine } from './run-command-line.ts';
export { processTerminal, type Terminal } from './terminal.ts';
