import { durationText } from './amounts.js';
import { paint } from './paint.js';

const BAR_COLUMNS = 24;
const REDRAW_EVERY_MS = 100;
/** Minimum progress for an estimate of the remaining time. */
const WORTH_A_FORECAST = 0.03;
/** Weight of the newest rate in the moving average. */
const NEWEST_WEIGHT = 0.25;

export interface ProgressOptions {
  label: string;
  animate: boolean;
  color: boolean;
  write(text: string): void;
  /** Milliseconds of a monotonic clock. */
  now?(): number;
}

/** Progress bar with rate and remaining time. Prints nothing if the terminal cannot redraw lines. */
export class ProgressBar {
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #rate: number | undefined;
  #last: { atMs: number; done: number } | undefined;
  #visible = false;

  constructor(private readonly options: ProgressOptions) {}

  /**
   * @param done in the unit of `total`
   * @param detail text after the percentage, e.g. `12.1 of 26.9 MB`
   * @param rateText formats the rate per second
   */
  update(done: number, total: number, detail: string, rateText?: (perSecond: number) => string): void {
    if (!this.options.animate) return;
    const nowMs = (this.options.now ?? performance.now.bind(performance))();
    if (nowMs - this.#drawnAtMs < REDRAW_EVERY_MS && done < total) return;
    this.#measure(done, nowMs);
    this.#drawnAtMs = nowMs;
    this.#visible = true;
    this.options.write(`\r\u001b[K${this.#line(done, total, detail, rateText)}`);
  }

  /** Removes the bar from the screen. */
  clear(): void {
    if (this.#visible) this.options.write('\r\u001b[K');
    this.#visible = false;
  }

  #line(done: number, total: number, detail: string, rateText?: (perSecond: number) => string): string {
    const part = total > 0 ? Math.min(1, done / total) : 0;
    const filled = Math.round(part * BAR_COLUMNS);
    const bar = paint(this.options.color, 'green', '█'.repeat(filled)) + '░'.repeat(BAR_COLUMNS - filled);
    const rate = this.#rate;
    const left = rate && part >= WORTH_A_FORECAST && part < 1 ? durationText((total - done) / rate) : undefined;
    const words = [detail, rate && rateText ? rateText(rate) : undefined, left && `${left} left`].filter(Boolean);
    return `${this.options.label} ${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${words.join('  ')}`;
  }

  #measure(done: number, atMs: number): void {
    const last = this.#last;
    this.#last = { atMs, done };
    if (!last || atMs <= last.atMs) return;
    const rate = (done - last.done) / ((atMs - last.atMs) / 1000);
    this.#rate = this.#rate === undefined ? rate : this.#rate * (1 - NEWEST_WEIGHT) + rate * NEWEST_WEIGHT;
  }
}
