import type { SessionSamples as Samples } from '@healthd/schemas';
import { useMemo } from 'react';
import { TimeChart } from '../../components/chart/time-chart.js';
import { humanize, sourceName } from '../../format.js';
import { unitName } from '../../units.js';
import type { Zone } from '../../zone.js';

/** Required members of a workout or night. */
interface Session {
  start_time: string;
  end_time: string;
  source: Parameters<typeof sourceName>[0];
  samples: Samples;
}

/** Types without a chart. Coordinates are drawn as a route instead. */
const NOT_CHARTED = new Set(['latitude', 'longitude']);

/** Charts of the source's samples during a workout or night. */
export function SessionSamples({ session, zone }: { session: Session; zone: Zone }) {
  const { start_time, end_time, source, samples } = session;
  const range = useMemo(() => ({ from: Date.parse(start_time), to: Date.parse(end_time) }), [start_time, end_time]);
  return samples
    .filter(({ type }) => !NOT_CHARTED.has(type))
    .map((one) => <SeriesChart key={one.type} series={one} range={range} zone={zone} source={sourceName(source)} />);
}

interface SeriesChartProps {
  series: Samples[number];
  range: { from: number; to: number };
  zone: Zone;
  source: string;
}

function SeriesChart({ series: { type, unit, samples, complete }, range, zone, source }: SeriesChartProps) {
  const name = humanize(type);
  const shownUnit = unitName(unit);
  const lines = useMemo(
    () => [{ name: source, points: samples.map(({ timestamp, value }) => ({ ms: Date.parse(timestamp), value })) }],
    [samples, source],
  );
  return (
    <section className="card" aria-label={name}>
      <header>
        <h2>
          {name} <span className="muted">{shownUnit}</span>
        </h2>
        {!complete && <span className="muted">the first {samples.length} samples; the series contains all</span>}
      </header>
      <div className="body">
        <TimeChart name={name} unit={shownUnit} lines={lines} zone={zone} range={range} height={180} />
      </div>
    </section>
  );
}
