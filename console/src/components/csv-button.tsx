import { useMutation } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { CsvFile } from '../csv.js';
import { formatCount } from '../format.js';
import { Problem } from './problem.js';

interface CsvButtonProps<T, C extends keyof T> {
  /** File name without extension. */
  name: string;
  columns: readonly C[];
  /** Reads all rows of the filtered list, page by page. */
  read: (signal: AbortSignal) => AsyncIterable<readonly T[]>;
}

/** Saves all rows of a list as CSV. Shows the row count while reading and can be canceled. */
export function CsvButton<C extends keyof T, T extends { [column in C]: string | number | null }>({
  name,
  columns,
  read,
}: CsvButtonProps<T, C>) {
  const [count, setCount] = useState(0);
  const stop = useRef<AbortController>(undefined);
  const save = useMutation({
    mutationFn: async () => {
      const stopping = new AbortController();
      stop.current = stopping;
      setCount(0);
      const file = new CsvFile(columns.map(String));
      for await (const rows of read(stopping.signal)) {
        if (stopping.signal.aborted) return;
        file.add(rows.map((row) => columns.map((column) => row[column])));
        setCount(file.count);
      }
      if (!stopping.signal.aborted) file.save(`${name}.csv`);
    },
  });
  const isStopped = stop.current?.signal.aborted ?? false;
  return (
    <>
      {save.isPending ? (
        <button type="button" onClick={() => stop.current?.abort()}>
          <X className="icon" aria-hidden="true" /> Stop at {formatCount(count)} rows
        </button>
      ) : (
        <button type="button" onClick={() => save.mutate()}>
          <Download className="icon" aria-hidden="true" /> CSV
        </button>
      )}
      {save.error && !isStopped && <Problem error={save.error} />}
    </>
  );
}

/**
 * Adapts a fully loaded list to {@link CsvButton}.
 */
export async function* whole<T>(rows: readonly T[] | undefined): AsyncGenerator<readonly T[]> {
  yield rows ?? [];
}
