import manifest from '../../package.json' with { type: 'json' };

/** Version of this package, as a decision record names it. */
export const ENGINE_VERSION: string = manifest.version;

/** Whether records of another version are judged alike here: the major version is the same. */
export function isCompatibleVersion(version: string): boolean {
  return majorOf(version) === majorOf(ENGINE_VERSION);
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? '';
}
