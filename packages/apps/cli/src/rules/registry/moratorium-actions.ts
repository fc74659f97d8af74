import type { MoratoriumItem } from '@leeward/registry';
import type { Terminal } from '../../terminal.ts';
import { WrongUse } from '../wrong-use.ts';
import { type RegistryOptions, withRegistry } from './registry-access.ts';

interface MoratoriumOptions extends RegistryOptions {
  readonly from?: string;
  readonly until?: string;
  readonly states?: string;
  readonly policyTypes?: string;
  readonly carrierKeys?: string;
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
      else for (const item of items) terminal.write(`${lineOf(item)}\n`);
      return;
    }
    const item =
      step === 'add'
        ? await ask('moratoria', 'propose', proposal(id!, options, terminal))
        : await ask('moratoria', step === 'approve' ? 'approve' : 'withdraw', chosen);
    terminal.write(options.format === 'json' ? `${JSON.stringify(item)}\n` : `${lineOf(item)}\n`);
    if (step === 'add' && options.format === 'text') {
      terminal.write(`  Somebody else approves it: leeward rules moratorium approve ${item.moratorium_id}\n`);
    }
  });
}

function proposal(id: string, options: MoratoriumOptions, terminal: Terminal): object {
  const { from, until, states, policyTypes, carrierKeys, message } = options;
  return {
    ...(carrierKeys === undefined ? {} : { carrier_keys: listOf(carrierKeys) }),
    moratorium: {
      id,
      from: from ?? terminal.now().toISOString(),
      until: until ?? null,
      ...(states === undefined ? {} : { states: listOf(states) }),
      ...(policyTypes === undefined ? {} : { policy_types: listOf(policyTypes) }),
      message,
    },
  };
}

function listOf(text: string): string[] {
  return text.split(',').map((each) => each.trim());
}

function lineOf({ moratorium_id: id, moratorium: stop, carrier_keys: keys, status }: MoratoriumItem): string {
  return `${stop.id}: ${status} (${id}), ${keys === null ? 'all carriers' : keys.join(', ')}`;
}
