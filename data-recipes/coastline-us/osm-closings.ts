export const CLOSINGS: readonly { readonly name: string; readonly path: readonly (readonly [number, number])[] }[] = [];
