import type { MoratoriumItem } from '@leeward/registry';
import { isObject } from '@leeward/terms';
import { readJsonInput } from '../../files/json-input.ts';
import type { Terminal } from '../../terminal.ts';
import { WrongUse } from '../wrong-use.ts';
import { type RegistryOptions, withRegistry } from './registry-access.ts';

interface MoratoriumOptions extends RegistryOptions {
  readonly from?: string;
  readonly until?: string;
  readonly states?: string;
  readonly policyTypes?: string;
  readonly carrierKeys?: string;
  readonly condition?: string;
  readonly message?: string;
  readonly revision?: string;
  readonly why?: string;
}

export const moratoriumSteps = ['add', 'approve', 'withdraw', 'list'] as const;

/** `rules moratorium add|approve|withdraw|list`: stops carriers without a new version of their rules. */
export async function moratorium(
  step: string,
  id: string | undefined,
  options: MoratoriumOptions,
  terminal: Terminal,
): Promise<void> {
  if (!(moratoriumSteps as readonly string[]).includes(step)) {
    throw new WrongUse(`Unknown moratorium action "${step}"; choose from: ${moratoriumSteps.join(', ')}.`);
  }
  if (step !== 'list' && id === undefined) throw new WrongUse(`moratorium ${step} needs an id.`);
  if (step === 'add' && options.message === undefined) throw new WrongUse('Give the text for users: --message.');
  const { revision, why } = options;
  const chosen = {
    moratorium_id: id,
    ...(revision === undefined ? {} : { revision: Number(revision) }),
    ...(why === undefined ? {} : { why }),
  };
  await withRegistry(options, terminal, async (ask) => {
    if (step === 'list') {
      const { items } = await ask('moratoria', 'list', { limit: 200 });
      if (options.format === 'json') terminal.write(`${JSON.stringify(items)}\n`);
      else if (items.length === 0) terminal.write('There are no moratoria.\n');
      else for (const item of items) terminal.write(`${lineOf(item)}\n`);
      return;
    }
    const item =
      step === 'add'
        ? await ask('moratoria', 'propose', await proposal(id!, options, terminal))
        : await ask('moratoria', step === 'approve' ? 'approve' : 'withdraw', chosen);
    terminal.write(options.format === 'json' ? `${JSON.stringify(item)}\n` : `${lineOf(item)}\n`);
    if (step === 'add' && options.format === 'text') {
      terminal.write(`  Somebody else approves it: leeward rules moratorium approve ${item.moratorium_id}\n`);
    }
  });
}

async function proposal(id: string, options: MoratoriumOptions, terminal: Terminal): Promise<object> {
  const { from, until, states, policyTypes, carrierKeys, message } = options;
  const condition = options.condition === undefined ? undefined : await readCondition(options.condition, terminal);
  const start = from ?? (condition === undefined ? terminal.now().toISOString() : undefined);
  return {
    ...(carrierKeys === undefined ? {} : { carrier_keys: listOf(carrierKeys) }),
    moratorium: {
      id,
      ...(start === undefined ? {} : { from: start }),
      until: until ?? null,
      ...(states === undefined ? {} : { states: listOf(states) }),
      ...(policyTypes === undefined ? {} : { policy_types: listOf(policyTypes) }),
      ...condition,
      message,
    },
  };
}

/** The service checks the condition itself. */
async function readCondition(path: string, terminal: Terminal): Promise<object> {
  const { file, value } = await readJsonInput(path, terminal, 'The condition');
  const isCondition =
    isObject(value) &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => key === 'when' || key === 'unless');
  if (!isCondition) throw new WrongUse(`${file} must be an object with "when", "unless" or both.`);
  return value;
}

function listOf(text: string): string[] {
  return text.split(',').map((each) => each.trim());
}

function lineOf({ moratorium_id: id, moratorium: stop, carrier_keys: keys, status }: MoratoriumItem): string {
  return `${stop.id}: ${status} (${id}), ${keys === null ? 'all carriers' : keys.join(', ')}`;
}
