import type { Accounts } from '@leeward/accounts';

const FRESH_MS = 60_000;

/** Reminders of `/readyz`: numbers of tokens to rotate, counted at most once a minute. */
export function createTokenWarnings(
  { tokenReminders }: Pick<Accounts, 'tokenReminders'>,
  monotonicMs: () => number = () => performance.now(),
) {
  let latest: ReturnType<typeof tokenReminders> | undefined;
  let countedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<readonly { readonly code: string; readonly message: string }[]> => {
    if (latest === undefined || monotonicMs() - countedAt >= FRESH_MS) {
      countedAt = monotonicMs();
      latest = tokenReminders();
      latest.catch(() => {
        latest = undefined;
      });
    }
    const { expires_soon: soon, exceeds_policy: exceeding } = await latest;
    const list = 'leeward token list --expiring lists them, leeward token rotate replaces them.';
    return [
      ...(soon > 0
        ? [{ code: 'tokens_expire_soon', message: `${tokensIn(soon, 'expires', 'expire')} within 14 days: ${list}` }]
        : []),
      ...(exceeding > 0
        ? [
            {
              code: 'tokens_exceed_policy',
              message: `${tokensIn(exceeding, 'is', 'are')} valid for longer than LEEWARD_TOKEN_MAX_DAYS allows: ${list}`,
            },
          ]
        : []),
    ];
  };
}

function tokensIn(count: number, singular: string, plural: string): string {
  return count === 1 ? `1 token ${singular}` : `${count} tokens ${plural}`;
}
