import { type SampleColumns, type SourceIdentity, sourceKey } from '@healthd/model';
import { readAppleExport } from '@healthd/providers';

/** Samples per batch when the minimum database time is measured. Larger batches need less time. */
const FLOOR_BATCH_SAMPLES = 50_000;

/** Samples of a file in file order, in batches of 50,000, with a source number that is unique in the file. */
export interface FileSamples {
  batches: { columns: SampleColumns; sourceId: Int32Array }[];
  samples: number;
  /** Time for reading and mapping alone, on this thread, without storing. */
  readSeconds: number;
}

/** Reads all samples of an export into memory. */
export async function readSamplesOf(path: string): Promise<FileSamples> {
  const sourceIds = new Map<string, number>();
  const numberOf = (source: SourceIdentity) => {
    const key = sourceKey(source);
    const known = sourceIds.get(key) ?? sourceIds.size + 1;
    sourceIds.set(key, known);
    return known;
  };
  const batches: FileSamples['batches'] = [];
  const startedMs = performance.now();
  const { samples } = await readAppleExport(
    path,
    {
      onBatch({ samples: columns, sources }) {
        if (columns.length === 0) return;
        const numbers = sources.map(numberOf);
        const taken = columns.sourceIndex.subarray(0, columns.length);
        batches.push({ columns, sourceId: Int32Array.from(taken, (index) => numbers[index] ?? 0) });
      },
    },
    { batchSamples: FLOOR_BATCH_SAMPLES },
  );
  return { batches, samples, readSeconds: (performance.now() - startedMs) / 1000 };
}
