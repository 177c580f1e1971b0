import { SERIES_TYPES } from '@healthd/model';
import type { ExportFile } from './export-files.js';

/** The text that explains the archive to its reader. */
export function readmeText(userId: string, files: readonly ExportFile[], at: Date): string {
  const width = Math.max(...files.map(({ path }) => path.length));
  const list = files.map(({ path, about }) => `  ${path.padEnd(width)}  ${about}`);
  const series = SERIES_TYPES.map(({ id, code, unit }) => `  ${String(id).padStart(3)}  ${code} (${unit})`);
  return [
    `Everything that this service holds about user ${userId}, as of ${at.toISOString()}.`,
    '',
    'Each file is newline-delimited JSON: one object a line, UTF-8. An empty file means that nothing is held.',
    'Instants are in UTC. offset_minutes is the distance of the wall clock from UTC, null where it is not known.',
    'source_id refers to the line with the same source_id in data_sources.ndjson.',
    'Files under derived/ are computed from the others and can be made again. Files under archived/ are what is kept of',
    'samples that are too old to be kept one by one; what derived/ holds of their days includes them.',
    '',
    'kind of a sample: "sample" is a single measurement, which begins at start_at and lasts duration_ms;',
    '"daily_total" is the vendor\u2019s own figure for a day, "aggregate" one for a night or a workout.',
    '',
    'Files:',
    ...list,
    '',
    'Numbers in type_id:',
    ...series,
    '',
  ].join('\n');
}
