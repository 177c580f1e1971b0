import { formatCount, formatDistance } from '../../../format.js';
import type { RouteLine } from './route-line.js';

/** Margin around the route, relative to its longer side. */
const MARGIN = 0.05;

/** Draws a route without a map, so that no other host is called. */
export function Route({ line: { points, width, height, isWhole } }: { line: RouteLine }) {
  const size = Math.max(width, height, 1);
  const margin = size * MARGIN;
  const [start, end] = [points[0], points.at(-1)];
  const extent = `${formatDistance(width)} from west to east, ${formatDistance(height)} from north to south`;
  const cut = `Only the first ${formatCount(points.length)} points are shown. The route continues.`;
  return (
    <section className="card" aria-label="Route">
      <header>
        <h2>Route</h2>
        <span className="muted">{extent}; north is up</span>
      </header>
      <div className="body">
        <svg
          className="route"
          role="img"
          aria-label={`Route: ${extent}.${isWhole ? '' : ` ${cut}`}`}
          viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
        >
          <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
          {start && <circle className="way-start" cx={start.x} cy={start.y} r={size / 60} />}
          {end && (
            <rect
              className="way-end"
              x={end.x - size / 70}
              y={end.y - size / 70}
              width={size / 35}
              height={size / 35}
            />
          )}
        </svg>
        <ul className="lines keys" aria-hidden="true">
          <li>
            <i className="key round way-start" /> start
          </li>
          <li>
            <i className="key way-end" /> {isWhole ? 'end' : 'last point shown'}
          </li>
        </ul>
        {!isWhole && <p className="muted">{cut}</p>}
      </div>
    </section>
  );
}
