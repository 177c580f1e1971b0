import { formatCount } from '../format.js';
import { axisTop } from './axis.js';

interface DayBar {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Undefined if unknown: drawn as a hatched gap, unlike a bar of height 0. */
  value: number | undefined;
}

interface DayBarsProps {
  bars: readonly DayBar[];
  unit: string;
  /** Reason for gaps. */
  gapText?: string;
}

/** Draws one bar per day. The drawing scales with the page, the text does not. */
export function DayBars({ bars, unit, gapText = 'without data' }: DayBarsProps) {
  const known = bars.filter((bar) => bar.value !== undefined);
  const max = known.reduce((most, bar) => Math.max(most, bar.value ?? 0), 0);
  const top = axisTop(max);
  const gaps = bars.length - known.length;
  const [first, last] = [bars[0]?.date, bars.at(-1)?.date];
  return (
    <figure className="chart">
      <div className="chart-scale" aria-hidden="true">
        <span>{formatCount(top)}</span>
        <span>{top >= 2 ? formatCount(top / 2) : ''}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${bars.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${unit} by day, ${first} to ${last}: at most ${formatCount(max)}; ${gaps} days ${gapText}`}
      >
        {[0, 50, 100].map((y) => (
          <line key={y} x1="0" x2={bars.length} y1={y} y2={y} />
        ))}
        {bars.map((bar, index) => (
          <Day key={bar.date} bar={bar} index={index} top={top} unit={unit} gapText={gapText} />
        ))}
      </svg>
      <div className="chart-dates" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
      {gaps > 0 && (
        <div className="chart-gaps" aria-hidden="true">
          <i /> {gaps} {gaps === 1 ? 'day' : 'days'} {gapText}
        </div>
      )}
    </figure>
  );
}

interface DayProps extends Pick<Required<DayBarsProps>, 'unit' | 'gapText'> {
  bar: DayBar;
  index: number;
  top: number;
}

function Day({ bar, index, top, unit, gapText }: DayProps) {
  if (bar.value === undefined) {
    return (
      <rect className="gap" x={index + 0.15} width="0.7" y="0" height="100">
        <title>{`${bar.date}: ${gapText}`}</title>
      </rect>
    );
  }
  const height = Math.max(0.7, (bar.value / top) * 100);
  return (
    <rect x={index + 0.15} width="0.7" y={100 - height} height={height}>
      <title>{`${bar.date}: ${formatCount(bar.value)} ${unit}`}</title>
    </rect>
  );
}
