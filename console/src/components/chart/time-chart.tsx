import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { formatInZone, type Zone } from '../../zone.js';
import { alignLines, type Line, nextIndex } from './align.js';
import { lineLook } from './line-look.js';
import { drawPlot, type Range } from './plot.js';

interface TimeChartProps {
  /** Name for screen readers, such as `Heart rate`. */
  name: string;
  unit: string;
  lines: readonly Line[];
  look?: 'lines' | 'bars';
  zone: Zone;
  range: Range;
  /** Called with the selected range. Without it, the chart does not zoom. */
  onZoom?: (range: Range) => void;
  height?: number;
}

const PAGE = 20;

/**
 * Time chart with one line per source. Arrow keys move a cursor by one point, Page keys by 20, Home and End to the
 * ends. Plus and minus zoom. The values at the cursor appear below and are announced.
 */
export function TimeChart(props: TimeChartProps) {
  const { name, unit, lines, look = 'lines', zone, range, onZoom, height = 300 } = props;
  const place = useRef<HTMLDivElement>(null);
  const swatches = useRef<HTMLUListElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [cursor, setCursor] = useState<number>();
  const aligned = useMemo(() => alignLines(lines), [lines]);
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const { from, to } = range;
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const drawn = drawPlot(aligned, {
      element,
      names: lines.map((line) => line.name),
      look,
      zone,
      range: { from, to },
      height,
      colors: () => colorsOf(element, swatches.current),
      onCursor: (index) => setCursor(index ?? undefined),
      onZoom: (chosen) => zoom.current?.(chosen),
    });
    plot.current = drawn;
    setCursor(undefined);
    const stopFollowing = followPage(element, drawn, height);
    return () => {
      stopFollowing();
      drawn.destroy();
    };
  }, [aligned, lines, look, zone, from, to, height]);
  const moveTo = (index: number) => {
    setCursor(index);
    plot.current?.setCursor({ left: plot.current.valToPos(aligned[0][index] ?? 0, 'x'), top: 1 }, false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = aligned[0].length - 1;
    const index = keyed(event.key, (step) => nextIndex(aligned, cursor ?? (step > 0 ? -1 : last + 1), step), last);
    const zoomed = zoomedBy(event.key, range, (aligned[0][cursor ?? -1] ?? (from + to) / 2000) * 1000);
    if (index !== undefined && last >= 0) moveTo(index);
    else if (zoomed && onZoom) onZoom(zoomed);
    else return;
    event.preventDefault();
  };
  const [seconds, ...columns] = aligned;
  const text = cursor === undefined ? '' : readout(cursor);
  function readout(index: number): string {
    const at = formatInZone((seconds[index] ?? 0) * 1000, zone);
    const values = lines.flatMap((line, which) => {
      const value = columns[which]?.[index];
      return typeof value === 'number'
        ? [`${formatValue(value)} ${unit} ${lines.length > 1 ? line.name : ''}`.trim()]
        : [];
    });
    return values.length > 0 ? `${at} · ${values.join(' · ')}` : '';
  }
  return (
    <figure className="time-chart">
      <div
        ref={place}
        className={height < 250 ? 'plot low' : 'plot'}
        role="slider"
        tabIndex={0}
        aria-label={`${name}: arrow keys move from point to point`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, seconds.length - 1)}
        aria-valuenow={cursor ?? 0}
        aria-valuetext={cursor === undefined ? 'no point selected' : formatInZone((seconds[cursor] ?? 0) * 1000, zone)}
        onKeyDown={onKeyDown}
      />
      <div className="row spread">
        <ul className={`lines ${look}`} ref={swatches}>
          {lines.map((line, at) => (
            <li key={line.name}>
              <LineSample at={at} dashed={look === 'lines'} /> {line.name}
            </li>
          ))}
        </ul>
        <output className="readout">{text}</output>
      </div>
    </figure>
  );
}

/** Legend key of a line. */
function LineSample({ at, dashed }: { at: number; dashed: boolean }) {
  const { className, dash } = lineLook(at);
  return (
    <svg className={className} width="28" height="8" aria-hidden="true">
      <line x1="0" x2="28" y1="4" y2="4" strokeDasharray={dashed ? dash.join(' ') : undefined} />
    </svg>
  );
}

/** Returns the new cursor position for a key; undefined for other keys. */
function keyed(key: string, stepped: (step: number) => number, last: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: PAGE,
    PageDown: -PAGE,
    Home: -Number.MAX_SAFE_INTEGER,
    End: Number.MAX_SAFE_INTEGER,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.min(last, Math.max(0, stepped(step)));
}

/** Returns half the range around an instant for `+`, twice the range for `-`; undefined for other keys. */
function zoomedBy(key: string, { from, to }: Range, around: number): Range | undefined {
  if (key === '+' || key === '=') return { from: (from + around) / 2, to: (to + around) / 2 };
  if (key === '-') return { from: from - (to - from) / 2, to: to + (to - from) / 2 };
  return undefined;
}

/** Formats a value with at most two decimals. Values from 1,000 have no decimals. */
export function formatValue(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 1000 ? 0 : 2 });
}

/** Reads colors from elements, because a canvas has no style sheets. */
function colorsOf(element: HTMLElement, swatches: HTMLUListElement | null) {
  const ink = getComputedStyle(element).color;
  const lines = [...(swatches?.querySelectorAll('svg') ?? [])].map((swatch) => hex(getComputedStyle(swatch).color));
  return { ink, grid: getComputedStyle(element).borderTopColor, lines };
}

function hex(color: string): string {
  const parts = color.match(/[\d.]+/g)?.slice(0, 3) ?? [];
  return `#${parts.map((part) => Math.round(Number(part)).toString(16).padStart(2, '0')).join('')}`;
}

/** Keeps the chart's width and theme colors up to date. Returns the stop function. */
function followPage(element: HTMLElement, plot: uPlot, height: number): () => void {
  const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
  sizes.observe(element);
  const repaint = () => plot.redraw(false);
  const themes = new MutationObserver(repaint);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', repaint);
  return () => {
    sizes.disconnect();
    themes.disconnect();
    dark.removeEventListener('change', repaint);
  };
}
