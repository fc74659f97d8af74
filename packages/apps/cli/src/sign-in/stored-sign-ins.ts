import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command-error.ts';
import { writeOwnerFile } from '../files/owner-file.ts';
import type { Terminal } from '../terminal.ts';

/** Tokens of a person at a service, as `POST /v1/sign-in/finish` returns them. */
const signIn = z.object({
  user: z.object({ user_id: z.string(), name: z.string(), email: z.string().nullable() }),
  organization: z.object({ organization_id: z.string(), name: z.string() }).nullable(),
  tokens: z
    .array(
      z.object({
        token: z.string(),
        team_id: z.string().nullable(),
        team_name: z.string().nullable(),
        scopes: z.array(z.string()),
      }),
    )
    .min(1),
  expires_at: z.string(),
  ends_at: z.string(),
});

export type StoredSignIn = z.infer<typeof signIn>;

export const readSignIn = (value: unknown): StoredSignIn | undefined => signIn.safeParse(value).data;

const file = z.record(z.string(), signIn);

/** Tokens by service URL, in a file that only its owner can read. */
export interface StoredSignIns {
  readonly path: string;
  get(url: string): StoredSignIn | undefined;
  set(url: string, signIn: StoredSignIn): void;
  remove(url: string): void;
}

/** In `leeward/sign-ins.json` of `XDG_CONFIG_HOME`, default `~/.config`. */
export function storedSignIns({ environment }: Pick<Terminal, 'environment'>): StoredSignIns {
  const folder = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config');
  const path = join(folder, 'leeward', 'sign-ins.json');
  const all = (): Readonly<Record<string, StoredSignIn>> => {
    if (!existsSync(path)) return {};
    try {
      return file.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      throw new CommandError(`${path} cannot be read as sign-ins; remove it, then run leeward login.`);
    }
  };
  return {
    path,
    get: (url) => new Map(Object.entries(all())).get(url),
    set: (url, next) => writeOwnerFile(path, { ...all(), [url]: next }),
    remove(url) {
      const { [url]: removed, ...others } = all();
      if (removed !== undefined) writeOwnerFile(path, others);
    },
  };
}
