import type { AddressBookError } from '@leeward/address-book';
import type { ArtifactError } from '@leeward/artifact';
import type { BookFileError } from '@leeward/books';
import type { CoastError } from '@leeward/coast';
import type { BackupError } from '@leeward/database';
import type { Problem } from '@leeward/http/problem';
import type { RowFileError } from '@leeward/rows';
import { CommandError } from './command-error.ts';
import { describeRefusal } from './describe-refusal.ts';
import { nearPath } from './near-path.ts';

/** Messages for system errors, with the file if it is named. */
const systemWords: Readonly<Record<string, (what: string) => string>> = {
  ENOENT: (what) => `There is no file or folder ${what}.`,
  EISDIR: (what) => `${what} is a folder; name a file.`,
  ENOTDIR: (what) => `${what} cannot exist: its parent is a file, not a folder.`,
  EACCES: (what) => `${what} may not be opened: permission is missing.`,
  EPERM: (what) => `${what} may not be changed: permission is missing.`,
  EROFS: (what) => `${what} cannot be written: the disk is read-only.`,
  EEXIST: (what) => `${what} exists already.`,
  ENOSPC: (what) => `The disk is full; ${what} was not written to its end.`,
  EDQUOT: (what) => `The disk quota is used up; ${what} was not written to its end.`,
  EFBIG: (what) => `${what} has grown larger than files may be here.`,
  EMFILE: () => 'Too many files are open; raise the limit (ulimit -n).',
  ENAMETOOLONG: () => 'The name of a file is too long.',
  ELOOP: (what) => `${what} is a circular link.`,
  EBUSY: (what) => `${what} is in use by another program.`,
  ETXTBSY: (what) => `${what} is in use by another program.`,
  EIO: (what) => `${what} cannot be read: the disk answers with an error.`,
};

/** Leeward errors whose message is for users. */
type SaidInWords = ArtifactError | BackupError | BookFileError | RowFileError | AddressBookError | Problem;

/** By name: importing the classes would load every package. */
const saidInWords: readonly SaidInWords['name'][] = [
  'ArtifactError',
  'BackupError',
  'BookFileError',
  'RowFileError',
  'AddressBookError',
  'Problem',
];

function isNamed<Named extends Error>(error: unknown, ...names: readonly Named['name'][]): error is Named {
  return error instanceof Error && names.includes(error.name);
}

/** Errors of a path given by the user: wrong use. */
const namedWrongly = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES', 'EPERM', 'EEXIST', 'ENAMETOOLONG', 'ELOOP']);

export interface Mistake {
  readonly message: string;
  /** 2 if the command could not begin. */
  readonly exitCode: 1 | 2 | 3;
}

/** Undefined for an unexpected error. */
export function mistakeOf(error: unknown, folder: string): Mistake | undefined {
  if (error instanceof CommandError) return { message: error.message.trimEnd(), exitCode: error.exitCode };
  if (isMissingPackage(error)) return { message: `${error.message}, where leeward is installed.`, exitCode: 2 };
  const message = sentenceOf(error, folder);
  return message === undefined ? undefined : { message, exitCode: isNamedWrongly(error) ? 2 : 1 };
}

function isNamedWrongly(error: unknown): boolean {
  if (isNamed<BookFileError>(error, 'BookFileError')) return error.code === 'no_file';
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== 'listen' && namedWrongly.has(code);
}

export function isMissingPackage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_MODULE_NOT_FOUND';
}

function sentenceOf(error: unknown, folder: string): string | undefined {
  if (isNamed<SaidInWords>(error, ...saidInWords)) return error.message.trimEnd();
  if (isNamed<CoastError>(error, 'CoastError')) return describeRefusal(error);
  if (!(error instanceof Error)) return undefined;
  const { code, path, port, address, syscall } = error as NodeJS.ErrnoException & {
    readonly port?: number;
    readonly address?: string;
  };
  if (code === undefined) return undefined;
  const where = port === undefined ? address : `port ${port}${address === undefined ? '' : ` of ${address}`}`;
  if (code === 'EADDRINUSE') return `${capital(where ?? 'the port')} is in use; give another --port.`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address ?? ''}; give another --host.`;
  if (syscall === 'listen')
    return `${capital(where ?? 'the port')} may not be opened (${code}); give a --port above 1023.`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH')
    return `A server is out of reach: ${error.message || code}.`;
  return systemWords[code]?.(path === undefined ? 'a file' : nearPath(path, folder));
}

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
