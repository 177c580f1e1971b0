import { SERIES_TYPES } from '@healthd/model';
import { ATTRIBUTION, type DemandedText } from './attribution.js';
import type { ExportFile } from './export-files.js';

interface Contents {
  userId: string;
  files: readonly ExportFile[];
  /** Texts that must accompany every copy. */
  texts: readonly DemandedText[];
  at: Date;
}

/** Returns the text that explains the archive. */
export function readmeText({ userId, files, texts, at }: Contents): string {
  const listed = texts.length > 0 ? [...files, ATTRIBUTION] : files;
  const width = Math.max(...listed.map(({ path }) => path.length));
  const list = listed.map(({ path, about }) => `  ${path.padEnd(width)}  ${about}`);
  const series = SERIES_TYPES.map(({ id, code, unit }) => `  ${String(id).padStart(3)}  ${code} (${unit})`);
  return [
    `All data of this service about user ${userId}, as of ${at.toISOString()}.`,
    '',
    'Each file is newline-delimited JSON: one object per line, UTF-8. An empty file means that there is no data.',
    'Instants are in UTC. offset_minutes is the UTC offset of the local time, null if unknown.',
    'source_id refers to the line with the same source_id in data_sources.ndjson.',
    'Files under derived/ are computed from the others and can be recreated. Files under archived/ contain totals of',
    'old samples that are not stored individually. The figures in derived/ include these totals.',
    '',
    ...attributionText(texts),
    'kind of a sample: "sample" is a single measurement, which starts at start_at and lasts duration_ms;',
    '"daily_total" is the vendor\u2019s own figure for a day; "aggregate" is a figure for a night or a workout.',
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
  return ['Vendors require these texts next to their data. Keep them with every copy:', ...lines, ''];
}
