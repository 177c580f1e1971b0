import { type SampleColumns, type SourceIdentity, sourceKey } from '@healthd/model';
import { readAppleExport } from '@healthd/providers';

/** The samples of a file in file order, in the batches of the reader, each with a source number that holds for all. */
export interface FileSamples {
  batches: { columns: SampleColumns; sourceId: Int32Array }[];
  samples: number;
  /** Reading and mapping alone, on this thread, nothing stored. */
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
  const begun = performance.now();
  const { samples } = await readAppleExport(path, {
    onBatch({ samples: columns, sources }) {
      const numbers = sources.map(numberOf);
      const sourceId = Int32Array.from(columns.sourceIndex.subarray(0, columns.length), (index) => numbers[index] ?? 0);
      batches.push({ columns, sourceId });
    },
  });
  return { batches, samples, readSeconds: (performance.now() - begun) / 1000 };
}
