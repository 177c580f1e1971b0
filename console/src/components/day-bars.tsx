import { formatCount } from '../format.js';

export interface DayBar {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Undefined where nothing is known: no bar, which is not the same as a bar of height 0. */
  value: number | undefined;
}

const WIDTH = 900;
const HEIGHT = 150;
const FLOOR = HEIGHT - 20;

/** One bar a day. A day without data stays empty. */
export function DayBars({ bars, unit }: { bars: readonly DayBar[]; unit: string }) {
  const top = Math.max(1, ...bars.map((bar) => bar.value ?? 0));
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${unit} by day`}
    >
      <line x1="0" x2={WIDTH} y1={FLOOR} y2={FLOOR} />
      {bars.map((bar, index) => {
        if (bar.value === undefined) return null;
        const height = Math.max(1, (bar.value / top) * (FLOOR - 8));
        return (
          <rect
            key={bar.date}
            x={index * step + step * 0.15}
            width={step * 0.7}
            y={FLOOR - height}
            height={height}
            rx="2"
          >
            <title>{`${bar.date}: ${formatCount(bar.value)} ${unit}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
