import { SERIES_TYPES } from '@healthd/model';
import { ATTRIBUTION, type DemandedText } from './attribution.js';
import type { ExportFile } from './export-files.js';

interface Contents {
  userId: string;
  files: readonly ExportFile[];
  /** Texts that must stay with every copy. */
  texts: readonly DemandedText[];
  at: Date;
}

/** The text that explains the archive to its reader. */
export function readmeText({ userId, files, texts, at }: Contents): string {
  const listed = texts.length > 0 ? [...files, ATTRIBUTION] : files;
  const width = Math.max(...listed.map(({ path }) => path.length));
  const list = listed.map(({ path, about }) => `  ${path.padEnd(width)}  ${about}`);
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
    ...attributionText(texts),
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

function attributionText(texts: readonly DemandedText[]): string[] {
  if (texts.length === 0) return [];
  const lines = texts.map(({ provider, text }) => `  ${text} (${provider})`);
  return ['Vendors demand these texts beside their data. Keep them with every copy:', ...lines, ''];
}
