/** Changes with the data of the page, so that a browser keeps its files for good. */
declare const DATA_VERSION: string;

/** The address of a data file: `counties` for `counties-….json`. */
export function dataFile(name: string): URL {
  return new URL(`./workbench/${name}-${DATA_VERSION}.json`, document.baseURI);
}
