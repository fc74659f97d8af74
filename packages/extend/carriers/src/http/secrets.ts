import type { Fault } from '@leeward/terms';

/** Undefined if the secret is not set. */
export type Secrets = (name: string) => string | undefined;

const reference = /\$\{(\w+)\}/g;

/** Replaces `${NAME}`. */
export function fillSecrets(text: string, secrets: Secrets): string {
  return text.replace(reference, (_, name: string) => secrets(name) ?? '');
}

export function hasSecret(text: string): boolean {
  return text.search(reference) >= 0;
}

/** Secrets that are not set; prints no value. */
export function secretFaults(text: string, secrets: Secrets, path: string): Fault[] {
  return [...text.matchAll(reference)]
    .map(([, name = '']) => name)
    .filter((name) => (secrets(name) ?? '') === '')
    .map((name) => ({ path, code: 'missing_secret', message: `The secret ${name} is not set.` }));
}
