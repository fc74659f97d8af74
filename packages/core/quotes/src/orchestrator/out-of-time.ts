/** What keeps a carrier from being asked that is no fault of its own. */
export const unaskedReasons = ['rules_unavailable', 'not_prepared', 'carrier_resting', 'carrier_paused', 'rate_limit'];

/** The end of a rate whose quote has no more time, and whose carrier was never asked. @param waitedFor the last that it waited for. */
export function outOfTime(waitedFor: string | undefined): { readonly code: string; readonly message: string } {
  const code = waitedFor !== undefined && unaskedReasons.includes(waitedFor) ? waitedFor : 'deadline';
  return { code, message: 'The time for this quote ran out before this carrier could be asked.' };
}
