import type { ExportSummary } from '@healthd/apple-export';
import type { NotImportedReason, PartOutcome, PartOutcomes } from '../files/index.js';

/** Counts of elements that were read. The counts of a type may be lower than in the file if the file is cut off. */
export interface ElementCounts {
  imported: number;
  rejected: number;
  notImported: number;
}

export interface ReadCounts {
  Record: ElementCounts;
  Workout: ElementCounts;
  Me: ElementCounts;
  ExportDate: ElementCounts;
  /** Number of beat lists from which a value was computed. */
  usedBeatLists: number;
  /** Number of unread parts of workouts by name. */
  workoutParts: ReadonlyMap<string, number>;
}

export function noReadCounts(): Omit<ReadCounts, 'workoutParts'> {
  const none = (): ElementCounts => ({ imported: 0, rejected: 0, notImported: 0 });
  return { Record: none(), Workout: none(), Me: none(), ExportDate: none(), usedBeatLists: 0 };
}

const BEAT_LIST = 'HeartRateVariabilityMetadataList';
/** Maximum number of listed names. All further names share one row. */
const MAX_LISTED = 100;
const OTHERS = 'others';

/** Reasons for elements that are never imported. Other elements have no series. */
const ELEMENT_REASONS: Readonly<Record<string, NotImportedReason>> = {
  ActivitySummary: 'repeated',
  ClinicalRecord: 'clinical',
  Correlation: 'repeated',
  WorkoutRoute: 'no_route',
};

const FILE_REASONS: Readonly<Record<string, NotImportedReason>> = {
  workout_routes: 'no_route',
  electrocardiograms: 'no_waveform',
  clinical_documents: 'clinical',
  clinical_records: 'clinical',
  attachments: 'attachment',
  others: 'unknown_file',
};

/** Returns the outcome of every element and file of an export that was read to its end, or to the end of its data. */
export function exportContents(summary: ExportSummary, counts: ReadCounts): PartOutcomes {
  const reasonOf = (name: string) =>
    (Object.hasOwn(ELEMENT_REASONS, name) ? ELEMENT_REASONS[name] : undefined) ?? 'no_series';
  const elements = Object.entries({ Record: summary.recordCount, ...summary.elementCounts }).map(([name, read]) => {
    if (name === 'Record' || name === 'Workout') return readElement(name, read, counts[name], 'no_series');
    if (name === 'Me' || name === 'ExportDate') return readElement(name, read, counts[name], 'empty');
    return notImported(name, read, reasonOf(name));
  });
  const inRecords = Object.entries(summary.recordChildCounts).map(([child, read]) => {
    const name = `Record/${child}`;
    if (child !== BEAT_LIST) return notImported(name, read, 'no_series');
    // A record may have several lists, which are read as one.
    const imported = Math.min(read, counts.usedBeatLists);
    return outcome(name, { read, imported, not_imported: { too_few_beats: read - imported } });
  });
  const inWorkouts = [...counts.workoutParts].map(([child, read]) =>
    notImported(`Workout/${child}`, read, reasonOf(child)),
  );
  const { empty, archiver } = summary.skippedFiles;
  const files = [
    outcome('export', { read: 1, imported: 1 }),
    ...Object.entries(summary.otherFiles).map(([kind, read]) =>
      notImported(kind, read, FILE_REASONS[kind] ?? 'unknown_file'),
    ),
    notImported('empty_files', empty, 'empty'),
    notImported('archiver_files', archiver, 'archiver'),
  ];
  return { elements: listed(elements), parts: listed([...inRecords, ...inWorkouts]), files: listed(files) };
}

/** Returns the outcome of a type that the adapter reads. The file may end inside an element. */
function readElement(
  name: string,
  read: number,
  { imported, rejected, notImported: count }: ElementCounts,
  reason: NotImportedReason,
): PartOutcome {
  const truncated = read - imported - rejected - count;
  return outcome(name, { read, imported, rejected, not_imported: { [reason]: count, truncated } });
}

function notImported(name: string, read: number, reason: NotImportedReason): PartOutcome {
  return outcome(name, { read, not_imported: { [reason]: read } });
}

function outcome(name: string, counts: Partial<Omit<PartOutcome, 'name'>>): PartOutcome {
  const { read = 0, imported = 0, rejected = 0, not_imported: reasons = {} } = counts;
  const used = Object.entries(reasons).filter(([, count]) => count > 0);
  return { name, read, imported, rejected, not_imported: Object.fromEntries(used) };
}

/** Returns the largest outcomes, largest first, and the sum of all others. Omits types without elements. */
function listed(outcomes: readonly PartOutcome[]): PartOutcome[] {
  const named = outcomes.filter(({ read, name }) => read > 0 && name !== OTHERS).sort((a, b) => b.read - a.read);
  const others = [...named.slice(MAX_LISTED), ...outcomes.filter(({ read, name }) => read > 0 && name === OTHERS)];
  const rest = outcome(OTHERS, {});
  for (const one of others) {
    rest.read += one.read;
    rest.imported += one.imported;
    rest.rejected += one.rejected;
    for (const [reason, count] of Object.entries(one.not_imported) as [NotImportedReason, number][]) {
      rest.not_imported[reason] = (rest.not_imported[reason] ?? 0) + count;
    }
  }
  return rest.read > 0 ? [...named.slice(0, MAX_LISTED), rest] : named;
}
