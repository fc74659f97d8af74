import { type RawBuilder, sql } from 'kysely';

/**
 * States of a rate in the store. Column `state`; the columns `wake_at` and `lease_until` follow from it (see `move`):
 *
 *     waiting   due at `wake_at`: new, backing off, or pending at the carrier
 *     ready     due; waits for a slot of the carrier, in the order of the hand-out
 *     leased    a process works on it until `lease_until`
 *     ended     nothing is expected
 */
export const rateStates = ['waiting', 'ready', 'leased', 'ended'] as const;
export type RateState = (typeof rateStates)[number];

interface Transition {
  /** Empty for a new rate. */
  readonly from: readonly RateState[];
  /** Two: `ended` without a later time, else `waiting`. */
  readonly to: readonly RateState[];
  readonly when: string;
  readonly effect: string;
}

const whenCurrent = 'the fence is current';
const unended = ['waiting', 'ready', 'leased'] as const;

/**
 * All transitions of a rate: the statements of the store take their states from here. A ready rate whose lease ran out keeps its fence
 * until it is handed out again, so its worker can still write.
 */
export const transitions = {
  create: { from: [], to: ['waiting'], when: 'a quote is created', effect: 'due at once' },
  retry: { from: [], to: ['waiting'], when: 'a failed rate is replaced', effect: 'due at once' },
  carry_over: { from: [], to: ['ended'], when: 'a requote needs no new answer', effect: 'copies the answer' },
  become_due: { from: ['waiting'], to: ['ready'], when: '`wake_at` has passed', effect: 'its team waits for a slot' },
  run_out: { from: ['leased'], to: ['ready'], when: '`lease_until` has passed', effect: 'its team waits for a slot' },
  hand_out: {
    from: ['ready', 'waiting', 'leased'],
    to: ['leased'],
    when: 'a slot is free, and it is next or all due rates fit',
    effect: 'raises the fence, starts the lease, counts the attempt unless pending',
  },
  record_call: {
    from: ['leased', 'ready'],
    to: ['leased'],
    when: whenCurrent,
    effect: 'records the call, renews the lease',
  },
  release: {
    from: ['leased', 'ready'],
    to: ['waiting'],
    when: `${whenCurrent}, not pending`,
    effect: 'due after a delay',
  },
  keep_pending: { from: ['leased', 'ready'], to: ['waiting'], when: whenCurrent, effect: 'due at the next poll' },
  finish: {
    from: ['leased', 'ready'],
    to: ['ended', 'waiting'],
    when: whenCurrent,
    effect: 'stores the answer; waits if a later answer can replace it',
  },
  lose_process: { from: ['leased'], to: ['leased'], when: 'its process is dead', effect: 'ends the lease' },
  wake: {
    from: ['waiting'],
    to: ['waiting'],
    when: 'the carrier is resumed, an operator asks, or a callback without an answer arrives',
    effect: 'due at once',
  },
  answer: {
    from: unended,
    to: ['ended', 'waiting'],
    when: 'a callback brings the answer of a pending rate',
    effect: 'raises the fence, stores the answer; waits if a later answer can replace it',
  },
  cancel: { from: unended, to: ['ended'], when: 'its quote is cancelled or erased', effect: 'raises the fence' },
  expire: {
    from: unended,
    to: ['ended'],
    when: 'its deadline has passed, and no lease is in force',
    effect: 'raises the fence; the outcome is unknown if the carrier may have been called',
  },
} as const satisfies Record<string, Transition>;

export type RateTransition = keyof typeof transitions;

/** Literals, so that partial indexes apply. */
export const isIn = (state: RateState) => sql`quote_rate.state = ${sql.lit(state)}`;

export function canMove(name: RateTransition): RawBuilder<unknown> {
  return sql`(${sql.join(transitions[name].from.map(isIn), sql` or `)})`;
}

/** Assignments of a transition. @param at When it is due or its lease ends; null ends it if it may also wait. */
export function move(name: RateTransition, at: RawBuilder<unknown> = sql`null`): RawBuilder<unknown> {
  const to: readonly RateState[] = transitions[name].to;
  const isEnding = to.length === 2;
  const state = isEnding ? sql`case when ${at} is null then 'ended' else 'waiting' end` : sql.lit(to[0]!);
  switch (to[0]!) {
    case 'ready':
      return sql`state = ${state}`;
    case 'leased':
      return sql`state = ${state}, lease_until = ${at}, wake_at = ${at}`;
    case 'waiting':
      return sql`state = ${state}, lease_until = null, wake_at = ${at}`;
    case 'ended':
      return sql`state = ${state}, lease_until = null, wake_at = ${isEnding ? at : sql`null`}`;
  }
}
