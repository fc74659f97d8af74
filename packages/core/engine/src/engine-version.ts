import manifest from '../package.json' with { type: 'json' };

/** Version of this package. */
export const ENGINE_VERSION: string = manifest.version;
