/** Time before its end at which a token should be rotated. */
export const REMINDER_MS = 14 * 86_400_000;
const DAY_MS = 86_400_000;

/** Times of a token, in epoch milliseconds. */
interface Lifetime {
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly session_ends_at: number | null;
}

/** `expires_soon`: within 14 days. `exceeds_policy`: without an end, or with one that the policy does not allow today. */
export const reminders = ['expires_soon', 'exceeds_policy'] as const;
export type Reminder = (typeof reminders)[number];

/** Why a valid token should be rotated. Tokens of a sign-in last hours. @param maxDays undefined: any lifetime. */
export function reminderOf(token: Lifetime, nowMs: number, maxDays: number | undefined): Reminder | null {
  const { created_at, expires_at, session_ends_at } = token;
  if (session_ends_at !== null) return null;
  if (expires_at !== null && expires_at <= nowMs + REMINDER_MS) return 'expires_soon';
  if (maxDays === undefined) return null;
  return expires_at === null || expires_at > created_at + maxDays * DAY_MS ? 'exceeds_policy' : null;
}

/** Latest end that the policy allows. */
export function latestEnd(fromMs: number, maxDays: number): number {
  return fromMs + maxDays * DAY_MS;
}
