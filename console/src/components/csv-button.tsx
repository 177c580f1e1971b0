import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveCsv } from '../csv.js';
import { formatCount } from '../format.js';
import { Problem } from './problem.js';

/** Rows of a file; the first one names the columns. */
export type CsvRows = Parameters<typeof saveCsv>[1];

/** The most rows that one file holds. */
export const CSV_LIMIT = 10_000;

/** Saves the list as it is filtered, at most {@link CSV_LIMIT} rows of it, and says so where there are more. */
export function CsvButton({ name, read }: { name: string; read: () => Promise<CsvRows> }) {
  const save = useMutation({
    mutationFn: async () => {
      const rows = await read();
      saveCsv(`${name}.csv`, rows);
      return rows.length - 1;
    },
  });
  return (
    <>
      <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        <Download className="icon" aria-hidden="true" /> {save.isPending ? 'Reading…' : 'CSV'}
      </button>
      {save.data !== undefined && save.data >= CSV_LIMIT && (
        <span className="muted" role="status">
          The file has the first {formatCount(CSV_LIMIT)} rows.
        </span>
      )}
      {save.error && <Problem error={save.error} />}
    </>
  );
}
