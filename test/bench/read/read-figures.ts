import type { FigureTable, Verdict } from '../scenario.js';
import type { MeasuredEndpoint, Times } from './measured-reads.js';
import type { MeasuredStore } from './read-scenario.js';

/**
 * Creates one table for each number of samples, and one table for the growth from the smallest number to the largest.
 */
export function readTables(stores: readonly MeasuredStore[]): FigureTable[] {
  const tables = stores.map(storeTable);
  const [first, last] = [stores[0], stores.at(-1)];
  return first && last && first !== last ? [...tables, growthTable(first, last)] : tables;
}

const ms = (figure: number) => figure.toFixed(1);
const count = (figure: number) => Math.round(figure).toLocaleString('en-US');

function storeTable(store: MeasuredStore): FigureTable {
  const { samples, samplesOfLarge, loadSeconds, probe, daemonPeakMemoryMb } = store;
  const memory = daemonPeakMemoryMb === undefined ? '' : `, daemon ${count(daemonPeakMemoryMb)} MB at most`;
  return {
    title:
      `Reading with ${count(samples)} samples of 200 users, ${count(samplesOfLarge)} of them one user's; ` +
      `milliseconds (loaded in ${count(loadSeconds)} s; a route without database ${ms(probe.p50)} ms${memory})`,
    rows: [
      ['the large user', 'p50', 'p95', 'p99', 'first byte p95', 'kB', 'rows read', 'floor p50', 'ratio', 'others p95'],
      ...store.endpoints.map(({ endpoint, large, others, firstByte, answerBytes, rowsRead, floor }) => [
        endpoint.name,
        ...[large.p50, large.p95, large.p99, firstByte.p95].map(ms),
        ms(answerBytes / 1000),
        count(rowsRead),
        ms(floor.p50),
        (floor.p50 / large.p50).toFixed(2),
        ms(others.p95),
      ]),
    ],
  };
}

function growthTable(first: MeasuredStore, last: MeasuredStore): FigureTable {
  const pair = (from: number, to: number, text: (figure: number) => string) => `${text(from)} → ${text(to)}`;
  return {
    title: `Growth from ${count(first.samples)} to ${count(last.samples)} samples, the large user`,
    rows: [
      ['', 'p50 ms', 'times', 'rows read', 'times'],
      ...last.endpoints.flatMap((measured) => {
        const before = first.endpoints.find(({ endpoint }) => endpoint === measured.endpoint);
        if (!before) return [];
        return [
          [
            measured.endpoint.name,
            pair(before.large.p50, measured.large.p50, ms),
            (measured.large.p50 / before.large.p50).toFixed(1),
            pair(before.rowsRead, measured.rowsRead, count),
            (measured.rowsRead / Math.max(1, before.rowsRead)).toFixed(1),
          ],
        ];
      }),
    ],
  };
}

/** Compares the figures at the largest number of samples with their targets. */
export function readVerdicts(stores: readonly MeasuredStore[]): Verdict[] {
  const largest = [...stores].sort((a, b) => b.samples - a.samples)[0];
  if (!largest) return [];
  const verdict = (what: string, figure: number, target: number): Verdict => ({
    what: `${what}, ${count(largest.samples)} samples`,
    figure,
    digits: 1,
    unit: ' ms',
    bound: 'most',
    target,
  });
  return largest.endpoints.flatMap(({ endpoint: { name, targetMs, firstByteTargetMs }, large, firstByte }) => [
    ...(targetMs === undefined ? [] : [verdict(`${name}, p95`, large.p95, targetMs)]),
    ...(firstByteTargetMs === undefined ? [] : [verdict(`${name}, first byte p95`, firstByte.p95, firstByteTargetMs)]),
  ]);
}

/** Returns all figures for `--json`, with times in milliseconds. */
export function readFigures(stores: readonly MeasuredStore[]): unknown {
  return stores.map(({ endpoints, ...store }) => ({
    ...store,
    endpoints: endpoints.map(({ endpoint, ...measured }) => ({ name: endpoint.name, ...msNamed(measured) })),
  }));
}

function msNamed({ large, others, firstByte, floor, ...rest }: Omit<MeasuredEndpoint, 'endpoint'>) {
  const named = ({ p50, p95, p99 }: Times) => ({ p50Ms: p50, p95Ms: p95, p99Ms: p99 });
  return { ...rest, large: named(large), others: named(others), firstByte: named(firstByte), floor: named(floor) };
}
