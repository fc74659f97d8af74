/** Changes with the data, so that browsers cache its files for good. */
declare const DATA_VERSION: string;
/** The builder of the page has no document. */
declare const document: { readonly baseURI: string };

/** `counties` → `counties-….json`. */
export function dataFile(name: string): URL {
  return new URL(`./workbench/${name}-${DATA_VERSION}.json`, document.baseURI);
}
