import {
  hashOfId,
  hashOfSlot,
  hasId,
  type RecordBatch,
  type ReplacementRecord,
  SAMPLE_KIND_CODE,
} from '@healthd/model';
import { FATE, type Identified } from '../facts/samples/identified.js';
import { localDayOf, type SampleRows } from '../facts/samples/sample-rows.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import type { StoredSources } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { WriteContext } from '../facts/write-context.js';
import type { Removed } from './removed.js';
import { removeSamples } from './removed-samples.js';

/** What the batch holds besides its replacements: what of a window stays. */
export interface SurvivingRows {
  identified: Identified;
  records: RecordBatch['records'];
  sources: ResolvedSources;
}

/**
 * The sources of a user that a replacement means. A source of another account, or of an unknown one, is not among them.
 * @param account vendor account that the batch belongs to; undefined for pushes and files
 */
export function sourcesOfWriter(
  sources: StoredSources,
  { provider, writer }: Pick<ReplacementRecord, 'provider' | 'writer'>,
  account: string | undefined,
): number[] {
  const name = storableText(writer);
  return [...sources.values()]
    .filter((source) => source.provider === provider && source.writer !== null)
    .filter((source) => (account === undefined ? !source.from_cloud : source.account === storableText(account)))
    .filter((source) => source.writer === name || source.writer?.startsWith(`${name}/`))
    .map(({ source_id }) => source_id);
}

/** Removes the stored samples of a window that the batch does not hold. @param sourceIds the sources of the window */
export async function replaceSamples(
  context: WriteContext,
  { typeIds, sampleKinds, externalIds, localDays, startMs, endMs }: ReplacementRecord & { of: 'samples' },
  sourceIds: number[],
  identified: Identified,
): Promise<Removed> {
  const ranges = typeIds.map((typeId) => ({ typeId, sourceIds, fromMs: startMs, toMs: endMs }));
  const kinds = sampleKinds && new Set(sampleKinds.map((kind): number => SAMPLE_KIND_CODE[kind]));
  const hashes = externalIds && new Set(externalIds.map(hashOfId));
  const isElsewhere = (stored: SampleRows, row: number) => {
    if (localDays === undefined) return false;
    const day = localDayOf(stored, row, context.timeline);
    return day < localDays.firstDay || day >= localDays.endDay;
  };
  const restated = new RestatedSamples(identified);
  return removeSamples(context, ranges, (stored, row) => {
    if ((kinds && !kinds.has(stored.kind[row] as number)) || isElsewhere(stored, row)) return false;
    if (hashes && !hashes.has(hashOfSlot(stored.slot[row] as number))) return false;
    return !identified.hasMet(stored, row) && !restated.takes(stored, row);
  });
}

/**
 * New rows of a batch that restates its windows, by where they begin. A stored sample of the same series, source, kind and
 * start that the batch has no longer is the same one with another value.
 */
class RestatedSamples {
  private readonly rowsAt = new Map<string, number[]>();

  constructor(private readonly identified: Identified) {
    const { rows, fates } = identified;
    for (let row = 0; row < rows.length; row++) {
      if (fates[row] !== FATE.insert) continue;
      const key = beginOf(rows, row);
      const known = this.rowsAt.get(key);
      if (known) known.push(row);
      else this.rowsAt.set(key, [row]);
    }
  }

  /** Replaces a stored sample by a new row; false when there is none. */
  takes(stored: SampleRows, at: number): boolean {
    const { rows } = this.identified;
    const row = this.rowsAt.get(beginOf(stored, at))?.shift();
    if (row === undefined) return false;
    if (!hasId(rows.slot[row] as number)) rows.slot[row] = stored.slot[at] as number;
    this.identified.replace(row, stored, at);
    return true;
  }
}

function beginOf(rows: SampleRows, at: number): string {
  return `${rows.typeId[at]} ${rows.startMs[at]} ${rows.sourceId[at]} ${rows.kind[at]}`;
}
