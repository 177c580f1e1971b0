import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { wallDate, type Zone } from '../../zone.js';
import type { AlignedLines } from './align.js';
import { lineLook } from './line-look.js';

/** Time range in milliseconds since the epoch. */
export interface Range {
  from: number;
  to: number;
}

/** Chart options and event handlers. */
interface PlotOptions {
  element: HTMLElement;
  names: readonly string[];
  /** Draws amounts as bars and other values as lines. */
  look: 'lines' | 'bars';
  zone: Zone;
  range: Range;
  height: number;
  /** Current colors of text, grid and lines. */
  colors: () => { ink: string; grid: string; lines: readonly string[] };
  onCursor: (index: number | null | undefined) => void;
  onZoom: (range: Range) => void;
}

const FONT = '12px system-ui, sans-serif';

/** Creates a time chart. The caller destroys it. */
export function drawPlot(data: AlignedLines, options: PlotOptions): uPlot {
  const { element, names, zone, range, height, colors } = options;
  const axis = {
    stroke: () => colors().ink,
    grid: { stroke: () => colors().grid, width: 1 },
    ticks: { stroke: () => colors().grid, width: 1 },
    font: FONT,
  };
  const isBars = options.look === 'bars';
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      tzDate: (seconds) => wallDate(seconds * 1000, zone),
      legend: { show: false },
      // Space for the half of the last axis label that is to the right of its tick.
      padding: [8, 20, 0, 0],
      cursor: { drag: { x: true, y: false, setScale: false }, y: false, points: { size: 7 } },
      scales: {
        x: { time: true, range: [range.from / 1000, range.to / 1000] },
        y: { range: (_, low, high) => bounds(low, high, isBars) },
      },
      axes: [
        { ...axis, values: TIME_LABELS },
        { ...axis, size: 52 },
      ],
      series: [
        {},
        ...names.map((name, at) => ({
          label: name,
          stroke: () => colors().lines[at] ?? '',
          width: 1.5,
          dash: isBars ? [] : lineLook(at).dash,
          ...(isBars && {
            points: { show: false },
            fill: () => `${colors().lines[at]}66`,
            paths: uPlot.paths.bars?.({ size: [0.9, 24], align: 1 }),
          }),
        })),
      ],
      hooks: {
        setCursor: [(plot) => options.onCursor(plot.cursor.idx)],
        setSelect: [
          (plot) => {
            if (plot.select.width < 4) return;
            const from = plot.posToVal(plot.select.left, 'x') * 1000;
            const to = plot.posToVal(plot.select.left + plot.select.width, 'x') * 1000;
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            options.onZoom({ from, to });
          },
        ],
      },
    },
    data as uPlot.AlignedData,
    element,
  );
}

function bounds(low: number | null, high: number | null, isBars: boolean): uPlot.Range.MinMax {
  if (low === null || high === null) return [0, 1];
  if (isBars) return [0, high > 0 ? high * 1.05 : 1];
  const air = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - air, high + air];
}

/** Formats axis labels: hours within a day, the date at the start of a day. */
const TIME_LABELS: uPlot.Axis.Values = [
  [3600 * 24 * 365, '{YYYY}', null, null, null, null, null, null, 1],
  [3600 * 24 * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [3600 * 24, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
];
