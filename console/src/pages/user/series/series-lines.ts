import type { TimeSeriesSample } from '@healthd/schemas';
import type { Line } from '../../../components/chart/align.js';
import { providerName } from '../../../components/provider-name.js';
import { sourceName } from '../../../format.js';

type Source = TimeSeriesSample['source'];

/** Returns one line per source, most points first. Sources are never merged. */
export function linesOf(samples: readonly TimeSeriesSample[]): Line[] {
  const bySource = new Map<string, { source: Source; points: { ms: number; value: number }[] }>();
  for (const { source, timestamp, value } of samples) {
    const key = [source.provider, source.source, source.device].join('\n');
    const point = { ms: Date.parse(timestamp), value };
    const line = bySource.get(key);
    if (line) line.points.push(point);
    else bySource.set(key, { source, points: [point] });
  }
  const found = [...bySource.values()].sort((a, b) => b.points.length - a.points.length);
  const names = found.map(({ source }) => sourceName(source));
  return found.map(({ source, points }, at) => ({ name: nameOf(source, names, at), points }));
}

/** Returns a source's name. Equal names get their provider, application and device. */
function nameOf(source: Source, names: readonly string[], at: number): string {
  const name = names[at] ?? '';
  if (names.indexOf(name) === names.lastIndexOf(name)) return name;
  const parts = [providerName(source.provider), source.source, source.device].filter((part) => part && part !== name);
  return `${name} (${parts.join(', ')})`;
}
