import { median } from '../report.js';
import type { FigureTable, Verdict } from '../scenario.js';
import { sizeText } from '../sizes.js';
import type { ImportRepetition, MeasuredSize } from './import-scenario.js';

/** Targets of the design. */
const MIN_SHARE_OF_FLOOR = 0.5;
const MIN_MB_PER_SECOND = 60;
const MAX_MEMORY_MB = 350;

type Figure = (repetition: ImportRepetition) => number;

const importSeconds: Figure = ({ first }) => first.importSeconds;
const shareOfFloor: Figure = ({ first, copyAndUpsertSeconds }) => copyAndUpsertSeconds / first.importSeconds;

function middle({ repetitions }: MeasuredSize, figure: Figure): number {
  return median(repetitions.map(figure));
}

/** Returns the maximum of the repetitions, because a memory limit applies to each of them. */
function most({ repetitions }: MeasuredSize, figure: Figure): number {
  return Math.max(...repetitions.map(figure));
}

/** Returns the medians in tables with one column per size. */
export function importTables(sizes: MeasuredSize[]): FigureTable[] {
  const row = (name: string, digits: number, figure: (size: MeasuredSize) => number) => [
    name,
    ...sizes.map((size) => {
      const value = figure(size);
      return Number.isNaN(value) ? 'unknown' : value.toFixed(digits);
    }),
  ];
  const seconds = (name: string, figure: Figure) => row(name, 2, (size) => middle(size, figure));
  const perSecond = (name: string, figure: Figure) =>
    row(name, 1, (size) => size.fileBytes / 1e6 / middle(size, figure));
  const head = ['', ...sizes.map(({ fileBytes }) => sizeText(fileBytes))];
  const figures: FigureTable = {
    title: `Import of an export file, medians (Postgres ${sizes[0]?.repetitions[0]?.postgresVersion})`,
    rows: [
      head,
      row('repetitions', 0, ({ repetitions }) => repetitions.length),
      row('samples', 0, (size) => middle(size, ({ first }) => first.samples.inserted)),
      seconds('upload, seconds', ({ first }) => first.uploadSeconds),
      seconds('import, seconds', importSeconds),
      perSecond('import, MB/s', importSeconds),
      row('import, 1000 samples/s', 0, (size) =>
        middle(size, ({ first }) => first.samples.inserted / first.importSeconds / 1000),
      ),
      perSecond('upload and import, MB/s', ({ first }) => first.uploadSeconds + first.answerToEndSeconds),
      seconds('floor: COPY and upsert, seconds', ({ copyAndUpsertSeconds }) => copyAndUpsertSeconds),
      seconds('plain COPY, seconds', ({ copySeconds }) => copySeconds),
      seconds('reading alone, seconds', ({ readSeconds }) => readSeconds),
      row('import speed / floor speed', 2, (size) => middle(size, shareOfFloor)),
      seconds('the same file again, seconds', ({ second }) => second.importSeconds),
      row('the same file again, inserted', 0, (size) => most(size, ({ second }) => second.inserted)),
      seconds('dry run of another file in its place, seconds', ({ tried }) => tried.importSeconds),
      seconds('another file in its place, seconds', ({ replaced }) => replaced.importSeconds),
      row('rows that this removes', 0, (size) => most(size, ({ replaced }) => replaced.gone)),
      row('daemon idle, MB', 0, (size) => most(size, (one) => one.idleDaemonMemoryMb ?? Number.NaN)),
      row('daemon peak, MB', 0, (size) => most(size, ({ first }) => first.daemon.peakMemoryMb ?? Number.NaN)),
      row('daemon peak after both, MB', 0, (size) =>
        most(size, ({ second }) => second.daemon.peakMemoryMb ?? Number.NaN),
      ),
      row('daemon peak after the dry run too, MB', 0, (size) =>
        most(size, ({ tried }) => tried.daemon.peakMemoryMb ?? Number.NaN),
      ),
      row('daemon peak after the replacement too, MB', 0, (size) =>
        most(size, ({ replaced }) => replaced.daemon.peakMemoryMb ?? Number.NaN),
      ),
      row('Postgres peak, MB', 0, (size) => most(size, ({ first }) => first.postgres.peakMemoryMb ?? Number.NaN)),
      seconds('daemon, processor seconds', ({ first }) => first.daemon.cpuSeconds ?? Number.NaN),
      seconds('Postgres, processor seconds', ({ first }) => first.postgres.cpuSeconds ?? Number.NaN),
    ],
  };
  return [figures, ...sizes.map(storageTable)];
}

function storageTable({ fileBytes, repetitions }: MeasuredSize): FigureTable {
  const tables = repetitions[0]?.tables ?? [];
  return {
    title: `Space after ${sizeText(fileBytes)}, MB`,
    rows: [
      ['', 'rows', 'table', 'indexes', 'bytes/row'],
      ...tables.map(({ table, rows, tableBytes, indexBytes }) => [
        table,
        String(rows),
        (tableBytes / 1e6).toFixed(1),
        (indexBytes / 1e6).toFixed(1),
        rows === 0 ? '' : ((tableBytes + indexBytes) / rows).toFixed(0),
      ]),
    ],
  };
}

export function importVerdicts(sizes: MeasuredSize[]): Verdict[] {
  return sizes.flatMap((size): Verdict[] => {
    const name = sizeText(size.fileBytes);
    // The figure is the peak since the start, so it includes all earlier work.
    const memory = most(size, ({ replaced }) => replaced.daemon.peakMemoryMb ?? 0);
    return [
      {
        what: `import of ${name} against COPY and upsert`,
        figure: middle(size, shareOfFloor),
        digits: 2,
        unit: '',
        bound: 'least',
        target: MIN_SHARE_OF_FLOOR,
      },
      {
        what: `import of ${name}`,
        figure: size.fileBytes / 1e6 / middle(size, importSeconds),
        digits: 1,
        unit: ' MB/s',
        bound: 'least',
        target: MIN_MB_PER_SECOND,
      },
      {
        what: `memory of the daemon, ${name}`,
        figure: memory,
        digits: 0,
        unit: ' MB',
        bound: 'most',
        target: MAX_MEMORY_MB,
      },
      {
        what: `rows that ${name} inserts a second time`,
        figure: most(size, ({ second }) => second.inserted),
        digits: 0,
        unit: '',
        bound: 'most',
        target: 0,
      },
    ];
  });
}

/** Returns all repetitions in detail, for programs. */
export function importFigures(sizes: MeasuredSize[]): unknown {
  return sizes.map(({ fileBytes, repetitions }) => ({ fileBytes, repetitions }));
}
