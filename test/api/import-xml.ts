import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const START = Date.parse('2026-01-05T07:00:00Z');

/** Returns an export with this many records of 10 steps, one per minute. */
export function stepsExport(count: number, inner = ''): string {
  const records = Array.from({ length: count }, (_, minute) => stepsRecord(minute)).join('');
  return `${HEAD}<HealthData locale="en_PL">\n${inner}${records}</HealthData>\n`;
}

/** Returns one record of 10 steps in this minute of the export's morning. */
export function stepsRecord(minute: number, value = '10'): string {
  const [from, to] = [appleTime(START + minute * MS_PER_MINUTE), appleTime(START + (minute + 1) * MS_PER_MINUTE)];
  const times = `creationDate="${to}" startDate="${from}" endDate="${to}"`;
  return ` <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" ${times} value="${value}"/>\n`;
}

function appleTime(ms: number): string {
  return `${new Date(ms + MS_PER_HOUR).toISOString().slice(0, 19).replace('T', ' ')} +0100`;
}

/** Returns a multipart body with one file, for tests that send it in pieces. */
export function multipart(content: Buffer | string, part = 'file', filename: string | undefined = 'export.xml') {
  const boundary = 'tests-boundary-7d1';
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${part}"${file}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
