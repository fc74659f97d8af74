/**
 * `node reader-process.ts engine|kernel|json-rules-engine FOLDER`: evaluates a book in one way, writes `FOLDER/NAME.codes` with a status code
 * for each row and carrier, and prints the processor time of the evaluation and the peak memory of the process.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactStatuses, openArtifact } from '@leeward/artifact';
import { type Catalog, createCatalog, parseRequest } from '@leeward/engine';
import { asyncBufferFromFile, parquetRead } from 'hyparquet';
import { createCarriers, toRuleSets } from '../engine/carriers.ts';
import { createHomes, toProperty } from '../engine/homes.ts';
import { createPartitionedJsonRulesEngine } from '../engine/peers/json-rules-engine.ts';

const [name = '', folder = ''] = process.argv.slice(2);
const AS_OF = new Date('2026-11-20T12:00:00Z');
const JSON_RULES_HOMES = 30;
const started = { cpu: process.cpuUsage() };
const codeOf = (status: string | undefined) => artifactStatuses.indexOf((status ?? 'not_offered') as never);

/** Writes the codes, and prints what the evaluation took; further rows are not counted. */
function finish(codes: Uint8Array, rows: number, different?: number): void {
  const { user, system } = process.cpuUsage(started.cpu);
  const memory = process.resourceUsage().maxRSS / 1024;
  writeFileSync(join(folder, `${name}.codes`), codes);
  console.log(JSON.stringify({ rows, micros: user + system, memory, different }));
}

function readCatalog(): Catalog {
  const files = JSON.parse(readFileSync(join(folder, 'carriers.json'), 'utf8')) as unknown[];
  return createCatalog(files.map((file) => ({ file })));
}

function runEngine(): void {
  const catalog = readCatalog();
  const lines = readFileSync(join(folder, 'book.ndjson'), 'utf8').trimEnd().split('\n');
  const homes = lines.map((line) => JSON.parse(line) as unknown);
  const { carriers } = catalog;
  const codes = new Uint8Array(homes.length * carriers.length);
  started.cpu = process.cpuUsage();
  for (const [row, home] of homes.entries()) {
    const parsed = parseRequest(home, { now: AS_OF });
    if (!parsed.ok) throw new Error(`Row ${row} has faults.`);
    const { verdicts } = catalog.decideSync(parsed.request.property);
    const statuses = new Map(verdicts.map(({ carrierKey, status }) => [carrierKey, status]));
    for (const [place, { key }] of carriers.entries()) codes[row * carriers.length + place] = codeOf(statuses.get(key));
  }
  finish(codes, homes.length);
}

async function runKernel(): Promise<void> {
  const artifact = await openArtifact(readFileSync(join(folder, 'home.leeward')));
  const columns: Record<string, unknown[]> = {};
  await parquetRead({
    file: await asyncBufferFromFile(join(folder, 'book.parquet')),
    onChunk({ columnName, columnData, rowStart }) {
      columns[columnName] ??= [];
      for (let row = 0; row < columnData.length; row++) {
        const cell: unknown = columnData[row];
        columns[columnName][rowStart + row] = typeof cell === 'bigint' ? Number(cell) : cell;
      }
    },
  });
  started.cpu = process.cpuUsage();
  const { statuses, rows } = artifact.evaluate(columns, { asOf: AS_OF });
  const codes = new Uint8Array(rows * statuses.size);
  let place = 0;
  for (const own of statuses.values()) {
    for (let row = 0; row < rows; row++) codes[row * statuses.size + place] = own[row]!;
    place += 1;
  }
  finish(codes, rows);
}

/** A few complete homes: it has no unknown values, and is slow. Compared with the engine here. */
async function runJsonRulesEngine(): Promise<void> {
  const { length } = readCatalog().carriers;
  const carriers = createCarriers(1, length);
  const peer = createPartitionedJsonRulesEngine(carriers);
  const homes = createHomes(20, JSON_RULES_HOMES);
  const catalog = createCatalog(toRuleSets(carriers).map((file) => ({ file })));
  const answers: (readonly string[])[] = [];
  started.cpu = process.cpuUsage();
  for (const home of homes) answers.push((await peer.judge(home, false)).statuses);
  const { user, system } = process.cpuUsage(started.cpu);
  let different = 0;
  for (const [row, home] of homes.entries()) {
    const verdicts = catalog.decideSync(toProperty(home)).verdicts;
    const statuses = new Map(verdicts.map(({ carrierKey, status }) => [carrierKey, status]));
    const own = carriers.filter(({ programs }) => programs.some((each) => each.policyType === home['policy_type']));
    own.forEach(({ key }, place) => {
      if (statuses.get(key) !== answers[row]![place]) different += 1;
    });
  }
  const memory = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ rows: homes.length, micros: user + system, memory, different }));
}

const programs: Readonly<Record<string, () => void | Promise<void>>> = {
  engine: runEngine,
  kernel: runKernel,
  'json-rules-engine': runJsonRulesEngine,
};
await programs[name]!();
