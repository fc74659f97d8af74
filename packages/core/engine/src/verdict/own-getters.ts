/**
 * Returns descriptors of getters as enumerable properties, so that objects can be spread, compared and written as JSON like plain data.
 * All objects share the functions: separate closures (`{ get a() {} }`) would give every object a hidden class, and keep its data alive
 * until a full garbage collection.
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
