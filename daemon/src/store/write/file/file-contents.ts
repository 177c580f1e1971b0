import type pg from 'pg';
import { copyInto } from '../../../platform/database/index.js';
import { ROW_OUTCOME, type Identified } from '../../decide/identified.js';
import { NO_SLOT } from '../../facts/samples/sample-rows.js';
import { storedKey } from '../../facts/sources/stored-source.js';
import type { SeenBatch } from '../write-options.js';

/**
 * Keys of the stored samples, stages and workouts that a file contains, used to find missing rows. Temporary tables of
 * one connection hold them, so memory does not grow with the file. If the connection or the server ends, the tables are
 * dropped, so an incomplete list is never used.
 */
export class FileContents {
  /** Sources of each series. */
  readonly sourcesOf = new Map<number, Set<number>>();
  readonly sleepSources = new Set<number>();
  readonly workoutSources = new Set<number>();
  /** Start of the file's first item. */
  firstMs = Number.POSITIVE_INFINITY;

  private constructor(readonly client: pg.PoolClient) {}

  static async open(pool: pg.Pool): Promise<FileContents> {
    const client = await pool.connect();
    try {
      await client.query(TABLES);
    } catch (error) {
      client.release(true);
      throw error;
    }
    return new FileContents(client);
  }

  async add({ identified, records, sources }: SeenBatch): Promise<void> {
    const { rows } = identified;
    for (let row = 0; row < rows.length; row++) {
      recordSource(this.sourcesOf, rows.typeId[row] as number, rows.sourceId[row] as number);
      this.firstMs = Math.min(this.firstMs, rows.startMs[row] as number);
    }
    const keys = keysOf(identified);
    await copyInto(this.client, 'file_sample', [
      {
        length: keys.typeId.length,
        columns: [
          { name: 'type_id', type: 'int2', values: keys.typeId },
          { name: 'source_id', type: 'int4', values: keys.sourceId },
          { name: 'start_at', type: 'timestamptz', values: keys.startMs },
          { name: 'slot', type: 'int4', values: keys.slot },
        ],
      },
    ]);
    const sessions = records.flatMap((record) => {
      if (record.kind !== 'sleep_stage' && record.kind !== 'workout') return [];
      const sourceId = sources.get(storedKey(record.source))?.sourceId;
      if (sourceId === undefined) return [];
      this.firstMs = Math.min(this.firstMs, record.startMs);
      const isStage = record.kind === 'sleep_stage';
      (isStage ? this.sleepSources : this.workoutSources).add(sourceId);
      const variant = isStage ? record.stage : record.type;
      return [{ isStage, sourceId, startMs: record.startMs, endMs: record.endMs, variant }];
    });
    if (sessions.length === 0) return;
    await this.client.query(
      `insert into file_session (is_stage, source_id, start_second, end_second, variant)
       select is_stage, source_id, floor(start_ms / 1000), floor(end_ms / 1000), variant
         from unnest($1::boolean[], $2::int[], $3::float8[], $4::float8[], $5::text[])
              as fresh (is_stage, source_id, start_ms, end_ms, variant)`,
      [
        sessions.map(({ isStage }) => isStage),
        sessions.map(({ sourceId }) => sourceId),
        sessions.map(({ startMs }) => startMs),
        sessions.map(({ endMs }) => endMs),
        sessions.map(({ variant }) => variant),
      ],
    );
  }

  /** Prepares the tables for queries after the last item. */
  async complete(): Promise<void> {
    await this.client.query(INDEXES);
  }

  /** Closes the connection, which drops the tables. */
  close(): void {
    this.client.release(true);
  }
}

const TABLES = `
create temporary table file_sample (type_id smallint not null, source_id integer not null, start_at timestamptz not null,
                                    slot integer not null);
create temporary table file_session (is_stage boolean not null, source_id integer not null, start_second float8 not null,
                                     end_second float8 not null, variant text not null);`;

const INDEXES = `
create index on file_sample (type_id, start_at, source_id, slot);
create index on file_session (is_stage, source_id, start_second, end_second, variant);
analyze file_sample;
analyze file_session;`;

function recordSource(sources: Map<number, Set<number>>, typeId: number, sourceId: number): void {
  const known = sources.get(typeId);
  if (known) known.add(sourceId);
  else sources.set(typeId, new Set([sourceId]));
}

/** Returns the keys of stored samples in the batch: matched samples and the current keys of its rows. */
function keysOf(identified: Identified): { typeId: number[]; startMs: number[]; sourceId: number[]; slot: number[] } {
  const { rows } = identified;
  const keys = { typeId: [] as number[], startMs: [] as number[], sourceId: [] as number[], slot: [] as number[] };
  const add = (typeId: number, startMs: number, sourceId: number, slot: number) => {
    keys.typeId.push(typeId);
    keys.startMs.push(startMs);
    keys.sourceId.push(sourceId);
    keys.slot.push(slot);
  };
  for (const key of identified.decision.matchedKeys ?? []) {
    const [typeId, startMs, sourceId, slot] = key.split(' ').map(Number) as [number, number, number, number];
    add(typeId, startMs, sourceId, slot);
  }
  const stays: ReadonlySet<number> = new Set([ROW_OUTCOME.insert, ROW_OUTCOME.updated, ROW_OUTCOME.unchanged]);
  for (let row = 0; row < rows.length; row++) {
    const slot = rows.slot[row] as number;
    if (slot === NO_SLOT || !stays.has(identified.rowOutcomeOf(row))) continue;
    add(rows.typeId[row] as number, rows.startMs[row] as number, rows.sourceId[row] as number, slot);
  }
  return keys;
}
