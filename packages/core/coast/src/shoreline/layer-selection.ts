/** Which segments a search accepts: of one of these layers, and of none of those. Bit masks. */
export interface LayerSelection {
  readonly any: number;
  readonly none: number;
}

export function accepts(selection: LayerSelection, layers: number): boolean {
  return (layers & selection.any) !== 0 && (layers & selection.none) === 0;
}
