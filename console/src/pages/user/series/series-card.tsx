import { attributionOfRow } from '@healthd/client';
import { getSingleTimeseries } from '@healthd/contract';
import { MS_PER_HOUR, type SeriesType } from '@healthd/model';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Line } from '../../../components/chart/align.js';
import { AttributionLine } from '../../../components/attribution.js';
import { TimeChart } from '../../../components/chart/time-chart.js';
import { Commands } from '../../../components/commands.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { saveCsv } from '../../../csv.js';
import { formatCount, humanize } from '../../../format.js';
import { useUserTimeZone } from '../../../hooks/use-user-time-zone.js';
import { MAX_SAMPLES, type SeriesRange, useSeries, type WholeSeries } from '../../../hooks/use-series.js';
import { resolutionFor } from '../../../resolution.js';
import { unitName } from '../../../units.js';
import { formatInZone, readersZone, type Zone, zoneOfChart, zoneText } from '../../../zone.js';
import { linesOf } from './series-lines.js';
import { instantOf, type SeriesView, seriesSearch } from './series-range.js';
import { SamplesTable, SourcesTable } from './series-tables.js';

interface SeriesCardProps {
  userId: string;
  type: SeriesType;
  view: SeriesView;
  /** Latest sample of the series; undefined if there is none. */
  latest: string | undefined;
}

const NAMES = {
  raw: 'as recorded',
  '1min': 'by minute',
  '5min': 'by 5 minutes',
  '15min': 'by 15 minutes',
  '1hour': 'by hour',
};

export function SeriesCard({ userId, type, view, latest }: SeriesCardProps) {
  const { from, to } = view.range;
  const isSum = type.rule === 'sum';
  const resolution = resolutionFor(to - from, Math.min(1180, innerWidth - 60), isSum && !type.isSingleEvents);
  const range = { type: type.code, start_time: instantOf(from), end_time: instantOf(to), resolution };
  const userZone = useUserTimeZone(userId);
  const series = useSeries(userId, range);
  const lines = useMemo(() => linesOf(series.data?.samples ?? []), [series.data]);
  const zone = zoneOfChart(userZone.zone, series.data?.samples.at(-1)?.local_offset);
  const name = humanize(type.code);
  const isAwaited = series.isPending || userZone.isPending || (series.isPlaceholderData && lines.length === 0);
  return (
    <>
      {series.error && <Problem error={series.error} retry={series.refetch} />}
      {isAwaited && <Loading />}
      {series.data && lines.length === 0 && !isAwaited && <NoData name={name} type={type.code} latest={latest} />}
      {series.data && lines.length > 0 && !userZone.isPending && (
        <>
          <section className="card" aria-busy={series.isPlaceholderData} aria-label={name}>
            <header>
              <h2>
                {name} <span className="muted">{unitName(type.unit)}</span>
              </h2>
              <span className="muted">{`${NAMES[series.data.range.resolution]}, ${zoneText(zone)}`}</span>
            </header>
            <div className="body">
              <Chart type={type} name={name} view={view} zone={zone} lines={lines} />
              <Notices series={series.data} />
            </div>
          </section>
          <SourcesTable
            lines={lines}
            series={series.data}
            rule={type.rule}
            unit={unitName(type.unit)}
            zone={zone}
            stale={series.isPlaceholderData}
          />
          <AttributionLine of={series.data.attribution} />
          <div className="row spread">
            <SamplesTable samples={series.data.samples} />
            <button type="button" disabled={series.isPlaceholderData} onClick={() => saveSeries(series.data)}>
              <Download className="icon" aria-hidden="true" /> CSV
            </button>
          </div>
        </>
      )}
      <Commands
        healthctl={healthctlOf(userId, range)}
        route={getSingleTimeseries}
        input={{ params: { user_id: userId, series_type: type.code }, query: queryOf(range) }}
      />
    </>
  );
}

interface ChartProps {
  type: SeriesType;
  name: string;
  view: SeriesView;
  zone: Zone;
  lines: Line[];
}

function Chart({ type, name, view, zone, lines }: ChartProps) {
  const navigate = useNavigate();
  return (
    <TimeChart
      name={name}
      unit={unitName(type.unit)}
      lines={lines}
      look={type.rule === 'sum' ? 'bars' : 'lines'}
      zone={zone}
      range={view.range}
      onZoom={(chosen) => void navigate({ search: seriesSearch({ type: type.code, range: chosen }) })}
    />
  );
}

function Notices({ series }: { series: WholeSeries }) {
  return (
    <>
      {series.isCut && (
        <p className="muted">
          Only the first {formatCount(MAX_SAMPLES)} values are shown, and the figures of the sources include only these
          values. Select a shorter range to see the rest.
        </p>
      )}
      {series.archivedBefore && (
        <p className="muted">
          Samples of days before {series.archivedBefore} are archived. The activity by day still includes these days.
        </p>
      )}
    </>
  );
}

function NoData({ name, type, latest }: { name: string; type: string; latest: string | undefined }) {
  const end = latest === undefined ? undefined : Date.parse(latest) + MS_PER_HOUR;
  return (
    <div className="card empty">
      No {name.toLowerCase()} in this range.{' '}
      {end !== undefined && (
        <Link to={{ search: seriesSearch({ type, range: { from: end - 24 * MS_PER_HOUR, to: end } }) }}>
          See the latest day with data, {formatInZone(end - MS_PER_HOUR, readersZone()).slice(0, 10)}
        </Link>
      )}
    </div>
  );
}

function healthctlOf(userId: string, { type, start_time, end_time, resolution }: SeriesRange): string {
  return `healthctl data timeseries --user ${userId} --types ${type} --from ${start_time} --to ${end_time} --resolution ${resolution} --all`;
}

function queryOf({ type: _, ...query }: SeriesRange) {
  return { ...query, limit: 10_000 };
}

const COLUMNS = ['timestamp', 'zone_offset', 'type', 'value', 'unit', 'provider', 'source', 'device', 'attribution'];

function saveSeries({ range: { type, start_time, end_time }, samples, attribution }: WholeSeries): void {
  const rows = samples.map(({ source, ...sample }) => [
    sample.timestamp,
    sample.zone_offset,
    sample.type,
    sample.value,
    sample.unit,
    source.provider,
    source.source,
    source.device_name ?? source.device,
    attributionOfRow({ source }, attribution) ?? null,
  ]);
  saveCsv(`${type}-${start_time.slice(0, 10)}-${end_time.slice(0, 10)}.csv`, [COLUMNS, ...rows]);
}
