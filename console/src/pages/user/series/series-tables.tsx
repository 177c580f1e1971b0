import type { SeriesType } from '@healthd/model';
import type { TimeSeriesSample } from '@healthd/schemas';
import { useState } from 'react';
import type { Line } from '../../../components/chart/align.js';
import { formatValue } from '../../../components/chart/time-chart.js';
import { SourceCell } from '../../../components/source-cell.js';
import { TableCard } from '../../../components/table-card.js';
import { formatCount } from '../../../format.js';
import type { WholeSeries } from '../../../hooks/use-series.js';
import { formatRecorded } from '../../../record-zone.js';
import { unitName } from '../../../units.js';
import { formatInZone, type Zone } from '../../../zone.js';
import { sourceColumns } from './source-columns.js';

interface SourcesTableProps {
  lines: readonly Line[];
  series: WholeSeries;
  rule: SeriesType['rule'];
  unit: string;
  zone: Zone;
  /** True while another range is loading. */
  stale: boolean;
}

/** Figures per source in the range. Amounts of several sources are never added. */
export function SourcesTable({ lines, series, rule, unit, zone, stale }: SourcesTableProps) {
  const { resolution } = series.range;
  const { count, lowest, highest, hasSum } = sourceColumns({ rule, unit, resolution, isCut: series.isCut });
  const sum = hasSum ? [`#Sum ${unit}`] : [];
  const columns = ['Source', `#${count}`, `#${lowest}`, `#${highest}`, ...sum, 'Latest'];
  return (
    <TableCard name="Sources in this range" columns={columns} stale={stale}>
      {lines.map(({ name, points }) => {
        const values = points.map(({ value }) => value);
        return (
          <tr key={name}>
            <td className="name">{name}</td>
            <td className="number">{formatCount(points.length)}</td>
            <td className="number">{formatValue(values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY))}</td>
            <td className="number">{formatValue(values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY))}</td>
            {hasSum && <td className="number">{formatValue(values.reduce((a, b) => a + b, 0))}</td>}
            <td className="date">{formatInZone(points.at(-1)?.ms ?? 0, zone)}</td>
          </tr>
        );
      })}
    </TableCard>
  );
}

const SHOWN = 200;

/** Chart values as a table, newest first. */
export function SamplesTable({ samples }: { samples: readonly TimeSeriesSample[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="as-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {open && (
        <>
          <TableCard name="Values" columns={['Local time', '#Value', 'Unit', 'Source']}>
            {samples
              .slice(-SHOWN)
              .reverse()
              .map((sample, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two samples can have equal cells
                <tr key={at}>
                  <td className="date">{formatRecorded(sample.timestamp, sample)}</td>
                  <td className="number">{formatValue(sample.value)}</td>
                  <td>{unitName(sample.unit)}</td>
                  <SourceCell source={sample.source} />
                </tr>
              ))}
          </TableCard>
          {samples.length > SHOWN && (
            <p className="muted">
              The newest {SHOWN} of {formatCount(samples.length)}; the CSV contains all.
            </p>
          )}
        </>
      )}
    </details>
  );
}
