/**
 * Returns descriptors of getters as enumerable properties of each object, so that it can be spread, compared and
 * written as JSON like plain data. All objects share the functions: a closure for each (`{ get a() {} }`) would give
 * every object a separate hidden class, and keep its data alive until a full garbage collection.
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
