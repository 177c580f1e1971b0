import type { Zone } from '../../zone.js';
import { hourTicks } from './hour-ticks.js';
import type { Range } from './plot.js';

/** Block of a lane. */
interface Block {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  /** CSS class with the color. */
  look: string;
  /** Share of the lane height, 0 to 1. Default: 1. */
  level?: number;
  /** Shown on hover. */
  title: string;
}

export interface Lane {
  name: string;
  blocks: readonly Block[];
}

interface LanesProps {
  /** Text alternative of the picture. */
  label: string;
  range: Range;
  zone: Zone;
  lanes: readonly Lane[];
  /** Ranges marked behind all lanes. */
  shades?: readonly Range[];
}

/** Lane height in pixels, as in chart.css. */
const HEIGHT = 34;
const AIR = 4;

/** Timeline with one lane per type or source. A table contains the same facts. */
export function Lanes({ label, range, zone, lanes, shades = [] }: LanesProps) {
  const at = (ms: number) =>
    ((Math.min(range.to, Math.max(range.from, ms)) - range.from) / (range.to - range.from)) * 100;
  const ticks = hourTicks(range, zone);
  const height = lanes.length * HEIGHT;
  return (
    <figure className="lanes-chart">
      <div className="lane-names" aria-hidden="true">
        {lanes.map(({ name }) => (
          <span key={name} title={name}>
            {name}
          </span>
        ))}
      </div>
      <svg role="img" aria-label={label} width="100%" height={height}>
        {shades.map(({ from, to }) => (
          <rect key={from} className="shade" x={`${at(from)}%`} width={`${at(to) - at(from)}%`} y="0" height={height} />
        ))}
        {ticks.map(({ ms }) => (
          <line key={ms} x1={`${at(ms)}%`} x2={`${at(ms)}%`} y1="0" y2={height} />
        ))}
        {lanes.map(({ name, blocks }, index) => {
          const bottom = (index + 1) * HEIGHT - AIR;
          return (
            <g key={name}>
              <line x1="0" x2="100%" y1={bottom + AIR / 2} y2={bottom + AIR / 2} />
              {blocks.map((block) => {
                const tall = Math.max(2, (HEIGHT - 2 * AIR) * (block.level ?? 1));
                return (
                  <rect
                    key={`${block.from} ${block.look}`}
                    className={block.look}
                    x={`${at(block.from)}%`}
                    width={`${Math.max(0.15, at(block.to) - at(block.from))}%`}
                    y={bottom - tall}
                    height={tall}
                  >
                    <title>{block.title}</title>
                  </rect>
                );
              })}
            </g>
          );
        })}
      </svg>
      <svg className="lane-hours" aria-hidden="true" width="100%" height="18">
        {ticks.map(({ ms, label: hour }) => (
          <text key={ms} x={`${at(ms)}%`} y="13">
            {hour}
          </text>
        ))}
      </svg>
    </figure>
  );
}
