/**
 * Descriptors of getters that each object of a class has as properties of its own, so that it can be spread, compared and
 * written as JSON like plain data. The functions are one for all objects: with a closure each (`{ get a() {} }`) every
 * object would have a shape of its own, which outlives it and holds all that it holds until the whole heap is marked.
 */
export function ownGetters<T extends object>(
  getters: Readonly<Record<string, (self: T) => unknown>>,
): PropertyDescriptorMap {
  return Object.fromEntries(
    Object.entries(getters).map(([name, read]): [string, PropertyDescriptor] => [
      name,
      {
        enumerable: true,
        configurable: true,
        get(this: T) {
          return read(this);
        },
      },
    ]),
  );
}
