/** Time of the simulated vendor: real time with an offset. */
export class SimulatorClock {
  private shiftMs = 0;

  nowMs(): number {
    return Date.now() + this.shiftMs;
  }

  /** Returns the current time in RFC 3339, in UTC. */
  now(): string {
    return new Date(this.nowMs()).toISOString();
  }

  /** @throws if the instant is invalid */
  set(instant: string): void {
    const ms = Date.parse(instant);
    if (Number.isNaN(ms)) throw new Error(`not an instant: ${instant}`);
    this.shiftMs = ms - Date.now();
  }

  advance(seconds: number): void {
    this.shiftMs += seconds * 1000;
  }

  reset(): void {
    this.shiftMs = 0;
  }
}
