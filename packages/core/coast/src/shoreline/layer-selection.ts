/** A segment is accepted if it has a layer of `any`, but not of `none`. */
export interface LayerSelection {
  readonly any: number;
  readonly none: number;
}

export function accepts(selection: LayerSelection, layers: number): boolean {
  return (layers & selection.any) !== 0 && (layers & selection.none) === 0;
}
