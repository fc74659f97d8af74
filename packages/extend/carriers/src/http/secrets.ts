import type { Fault } from '@leeward/terms';

/** Gives a secret by its name; undefined where the host has none. */
export type Secrets = (name: string) => string | undefined;

const reference = /\$\{(\w+)\}/g;

/** Text with `${NAME}` filled in. */
export function fillSecrets(text: string, secrets: Secrets): string {
  return text.replace(reference, (_, name: string) => secrets(name) ?? '');
}

/** Secrets that a text names and the host does not have. Their values are never printed. */
export function secretFaults(text: string, secrets: Secrets, path: string): Fault[] {
  return [...text.matchAll(reference)]
    .map(([, name = '']) => name)
    .filter((name) => (secrets(name) ?? '') === '')
    .map((name) => ({ path, code: 'missing_secret', message: `The secret ${name} is not set.` }));
}
