/** A function of a text that remembers what it gave; when it remembers `max` texts it forgets them all. */
export function remember<Value>(max: number, make: (text: string) => Value): (text: string) => Value {
  const made = new Map<string, Value>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined || made.has(text)) return known as Value;
    if (made.size >= max) made.clear();
    const value = make(text);
    made.set(text, value);
    return value;
  };
}
