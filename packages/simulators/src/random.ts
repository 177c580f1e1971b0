/** A deterministic source of numbers, equal for equal keys on every machine. */
export class Random {
  private state: number;

  /** @param key parts that identify the stream, e.g. seed, day, purpose */
  constructor(...key: (number | string)[]) {
    let hash = 0x811c9dc5;
    for (const character of key.join('|')) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
    this.state = hash >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.integer(0, values.length - 1)] ?? values[0];
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns a number that is more often near the middle than near the ends. */
  bell(middle: number, spread: number): number {
    return middle + spread * (this.next() + this.next() + this.next() - 1.5) * 1.155;
  }
}
