const INPUT_COUNT = 12;
const INPUTS = 16;
const INPUT_BYTES = 64;

/** An input as the table image has it. */
export interface ImageInput {
  readonly isWord: boolean;
  /** True for whole numbers. */
  readonly integer: boolean;
  readonly min: number;
  readonly max: number;
  /** Number of the list of its words; −1 without one. */
  readonly list: number;
  /** Code of a home that does not give it; 0 without one. */
  readonly fallback: number;
}

/** Reads the inputs of a table image, in its order. */
export function imageInputs(image: Uint8Array): readonly ImageInput[] {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  return Array.from({ length: view.getUint32(INPUT_COUNT, true) }, (_, number) => {
    const at = view.getUint32(INPUTS, true) + INPUT_BYTES * number;
    return {
      isWord: view.getUint32(at, true) === 1,
      integer: view.getUint32(at + 8, true) === 1,
      min: view.getFloat64(at + 16, true),
      max: view.getFloat64(at + 24, true),
      list: view.getInt32(at + 32, true),
      fallback: view.getInt32(at + 36, true),
    };
  });
}
