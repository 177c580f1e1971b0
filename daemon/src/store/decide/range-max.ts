/** Finds the maximum of any range of values in logarithmic time, with a segment tree. */
export class RangeMax {
  readonly #tree: Float64Array;
  readonly #size: number;

  constructor(values: ArrayLike<number>) {
    this.#size = values.length;
    this.#tree = new Float64Array(2 * this.#size).fill(Number.NEGATIVE_INFINITY);
    this.#tree.set(values, this.#size);
    for (let at = this.#size - 1; at > 0; at--) {
      this.#tree[at] = Math.max(this.#tree[2 * at] as number, this.#tree[2 * at + 1] as number);
    }
  }

  /** Returns the maximum value at the positions from `from` to before `to`; negative infinity if there are none. */
  max(from: number, to: number): number {
    let highest = Number.NEGATIVE_INFINITY;
    for (let [low, high] = [from + this.#size, to + this.#size]; low < high; low >>= 1, high >>= 1) {
      if (low & 1) highest = Math.max(highest, this.#tree[low++] as number);
      if (high & 1) highest = Math.max(highest, this.#tree[--high] as number);
    }
    return highest;
  }
}

/** Returns the first position of an ascending list whose value is at least `bound`. */
export function firstFrom(ascending: ArrayLike<number>, bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
