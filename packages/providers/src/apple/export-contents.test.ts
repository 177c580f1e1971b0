import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zipBytes } from '@healthd/simulators';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PartOutcome, PartOutcomes } from '../files/index.js';
import { DATES, readFile, record } from './testing/read-elements.js';

const QUANTITY = 'HKQuantityTypeIdentifier';
const BEATS = (count: number) =>
  `<HeartRateVariabilityMetadataList>${Array.from(
    { length: count },
    (_, second) => `<InstantaneousBeatsPerMinute bpm="60" time="8:00:${10 + second}.00 AM"/>`,
  ).join('')}</HeartRateVariabilityMetadataList>`;

/** Outcome of one element or file: its row, and a reason if it is not imported or rejected. */
type Fate = [list: keyof PartOutcomes, name: string, fate: string];

interface Part {
  text: string;
  fates: Fate[];
}

const element = (text: string, name: string, fate: string, ...more: Fate[]): Part => ({
  text,
  fates: [['elements', name, fate], ...more],
});
const workout = (attributes: string, inside = '') => `<Workout ${attributes}>${inside}</Workout>`;
const RUN = `workoutActivityType="HKWorkoutActivityTypeRunning" ${DATES}`;
const ROUTE = '<WorkoutRoute sourceName="A"><FileReference path="/workout-routes/a.gpx"/></WorkoutRoute>';
const beatRecord = (count: number) => record(`${QUANTITY}HeartRateVariabilitySDNN`, 'ms', 40, DATES, BEATS(count));

/** Every type of element, with its expected outcome. */
const ELEMENTS: readonly Part[] = [
  element(record(`${QUANTITY}StepCount`, 'count', 12), 'Record', 'imported'),
  element(record(`${QUANTITY}StepCount`, 'count', 'many'), 'Record', 'rejected'),
  element(record(`${QUANTITY}StepCount`, 'furlong', 1), 'Record', 'rejected'),
  element(record(`${QUANTITY}Unheard`, 'count', 1), 'Record', 'no_series'),
  element(record('HKCategoryTypeIdentifierMindfulSession', '', ''), 'Record', 'no_series'),
  element(beatRecord(40), 'Record', 'imported', ['parts', 'Record/HeartRateVariabilityMetadataList', 'imported']),
  element(beatRecord(3), 'Record', 'imported', ['parts', 'Record/HeartRateVariabilityMetadataList', 'too_few_beats']),
  element(record(`${QUANTITY}StepCount`, 'count', 5, DATES, '<Later/>'), 'Record', 'imported', [
    'parts',
    'Record/Later',
    'no_series',
  ]),
  element(workout(RUN), 'Workout', 'imported'),
  element(workout(RUN, ROUTE), 'Workout', 'imported', ['parts', 'Workout/WorkoutRoute', 'no_route']),
  element(workout('workoutActivityType="x"'), 'Workout', 'rejected'),
  element('<ExportDate value="2024-05-01 12:00:00 +0200"/>', 'ExportDate', 'imported'),
  element('<ExportDate value="soon"/>', 'ExportDate', 'empty'),
  element('<Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-01"/>', 'Me', 'imported'),
  element('<Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>', 'Me', 'empty'),
  element('<ActivitySummary dateComponents="2024-05-01"/>', 'ActivitySummary', 'repeated'),
  element(
    `<Correlation type="x">${record(`${QUANTITY}BloodPressureSystolic`, 'mmHg', 120)}</Correlation>`,
    'Correlation',
    'repeated',
  ),
  element('<ClinicalRecord type="x" resourceFilePath="/clinical-records/a.json"/>', 'ClinicalRecord', 'clinical'),
  element('<Audiogram type="x"><SensitivityPoint/></Audiogram>', 'Audiogram', 'no_series'),
  element('<VisionPrescription type="x"/>', 'VisionPrescription', 'no_series'),
  element('<constructor/>', 'constructor', 'no_series'),
  element('<others/>', 'others', 'no_series'),
];

interface ArchivedFile {
  name: string;
  content: string;
  fates: Fate[];
}

const file = (name: string, kind: string, fate: string, content = 'x'): ArchivedFile => ({
  name,
  content,
  fates: [['files', kind, fate]],
});

/** Every type of file in an archive, with its expected outcome. */
const FILES: readonly ArchivedFile[] = [
  file('export_cda.xml', 'clinical_documents', 'clinical', '<ClinicalDocument/>'),
  file('clinical-records/Observation-1.json', 'clinical_records', 'clinical', '{}'),
  file('electrocardiograms/ecg_2024-05-01.csv', 'electrocardiograms', 'no_waveform'),
  file('workout-routes/route.gpx', 'workout_routes', 'no_route', '<gpx/>'),
  file('documents/letter.PDF', 'attachments', 'attachment'),
  file('notes.txt', 'others', 'unknown_file'),
  file('empty.gpx', 'empty_files', 'empty', ''),
  file('__MACOSX/._export.xml', 'archiver_files', 'archiver'),
  file('.DS_Store', 'archiver_files', 'archiver'),
];

const elementsOf = fc.array(fc.constantFrom(...ELEMENTS), { maxLength: 60, size: 'max' });
const filesOf = fc.array(fc.constantFrom(...FILES), { maxLength: 25, size: 'max' });

function sumOf(rows: readonly PartOutcome[]): number {
  return rows.reduce((sum, { read }) => sum + read, 0);
}

function expectRowsToAddUp(contents: PartOutcomes): void {
  for (const row of [...contents.elements, ...contents.parts, ...contents.files]) {
    const left = Object.values(row.not_imported).reduce((sum, count) => sum + count, 0);
    expect({ ...row, sum: row.imported + row.rejected + left }).toMatchObject({ sum: row.read });
    expect(Math.min(row.imported, row.rejected, ...Object.values(row.not_imported))).toBeGreaterThanOrEqual(0);
  }
}

/** Returns the rows that the fates describe, in any order. */
function expectedRows(fates: readonly Fate[], list: keyof PartOutcomes): PartOutcome[] {
  const rows = new Map<string, PartOutcome>();
  for (const [of, name, fate] of fates) {
    if (of !== list) continue;
    const row = rows.get(name) ?? { name, read: 0, imported: 0, rejected: 0, not_imported: {} };
    rows.set(name, row);
    row.read++;
    if (fate === 'imported' || fate === 'rejected') row[fate]++;
    else
      Object.assign(row.not_imported, {
        [fate]: (Object.entries(row.not_imported).find(([key]) => key === fate)?.[1] ?? 0) + 1,
      });
  }
  return [...rows.values()];
}

const byName = (rows: readonly PartOutcome[]) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));

async function read(content: Buffer | string, name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'contents-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, content);
    const { report } = await readFile(path);
    return report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('outcomes of the elements and files of an export', () => {
  it('include every element and file of an archive', async () => {
    await fc.assert(
      fc.asyncProperty(elementsOf, filesOf, fc.nat(), async (elements, files, place) => {
        const xml = `<HealthData>${elements.map(({ text }) => text).join('\n')}</HealthData>`;
        const entries = files.map(({ name, content }, at) => ({
          // Archives may contain two files with the same name, also with the name of the export.
          name: at % 5 === 0 ? `apple_health_export/${name}` : `apple_health_export/${at}/${name}`,
          content: Buffer.from(content),
        }));
        entries.splice(place % (files.length + 1), 0, {
          name: 'apple_health_export/export.xml',
          content: Buffer.from(xml),
        });
        const archive = await buffer(
          zipBytes([{ name: 'apple_health_export/', content: Buffer.alloc(0) }, ...entries]),
        );
        const { contents, elements: counts, failure } = await read(archive, 'export.zip');
        if (contents === undefined) throw new Error(`no contents: ${failure?.code}`);
        const fates: Fate[] = [
          ['files', 'export', 'imported'],
          ...[...elements, ...files].flatMap((part) => part.fates),
        ];
        expectRowsToAddUp(contents);
        for (const list of ['elements', 'parts', 'files'] as const) {
          expect(byName(contents[list])).toEqual(byName(expectedRows(fates, list)));
        }
        expect(sumOf(contents.files)).toBe(entries.length);
        expect(sumOf(contents.elements)).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0));
        expect(sumOf(contents.elements)).toBe(elements.length);
      }),
      { numRuns: 60 },
    );
  });

  it('add up if the file ends early', async () => {
    await fc.assert(
      fc.asyncProperty(elementsOf, fc.double({ min: 0, max: 1, noNaN: true }), async (elements, share) => {
        const xml = `<HealthData>${elements.map(({ text }) => text).join('\n')}</HealthData>`;
        const end = Math.max('<HealthData>'.length, Math.floor(xml.length * share));
        const { contents, elements: counts, truncated } = await read(xml.slice(0, end), 'export.xml');
        if (contents === undefined) throw new Error('no contents');
        expectRowsToAddUp(contents);
        expect(sumOf(contents.elements)).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0));
        const cut = contents.elements.reduce((sum, row) => sum + (row.not_imported.truncated ?? 0), 0);
        expect(cut).toBeLessThanOrEqual(truncated ? 1 : 0);
        expect(contents.files).toEqual([{ name: 'export', read: 1, imported: 1, rejected: 0, not_imported: {} }]);
      }),
      { numRuns: 60 },
    );
  });

  it('list a hundred names and add up the rest', async () => {
    const names = Array.from({ length: 700 }, (_, at) => `<Later${at}/>`).join('');
    const { contents } = await read(`<HealthData>${names}</HealthData>`, 'export.xml');
    expect(contents?.elements).toHaveLength(101);
    expect(contents?.elements.at(-1)).toMatchObject({ name: 'others', read: 600, not_imported: { no_series: 600 } });
  });

  it('are missing for a file that is not an export', async () => {
    expect((await read('<ClinicalDocument/>', 'export.xml')).contents).toBeUndefined();
  });
});
