// A bump allocator. The host marks the memory, allocates columns, evaluates, and releases them.

let top: usize = (__heap_base + 15) & ~15;

/** Allocates memory at a multiple of 16 bytes. Returns 0 if the memory cannot grow. */
export function allocate(bytes: u32): usize {
  const end = <u64>top + (((<u64>bytes + 15) >> 4) << 4);
  const pages = <i64>((end + 0xffff) >> 16) - memory.size();
  if (end > 0xffff0000 || (pages > 0 && memory.grow(<i32>pages) < 0)) return 0;
  const at = top;
  top = <usize>end;
  return at;
}

export function mark(): usize {
  return top;
}

/** Frees everything that was allocated after `mark` returned `to`. */
export function release(to: usize): void {
  if (to < top && to >= __heap_base) top = to;
}
