import type { SyncHistory, SyncRun } from '@healthd/schemas';

/** Sources of runs that read history. */
const HISTORICAL_SOURCES: ReadonlySet<string> = new Set(['backfill', 'xml_import']);

/** Returns a run with a row per data type, in the format of the compatible API. */
export function historyOf(run: SyncRun): SyncHistory {
  const { run_id, user_id, provider, source, status, message, error, started_at, ended_at, metadata } = run;
  const isHistorical = HISTORICAL_SOURCES.has(source) || metadata.is_historical === true;
  return {
    run_key: run_id,
    user_id,
    provider,
    source,
    scope: isHistorical ? 'historical' : 'live',
    status,
    message,
    error,
    started_at,
    ended_at,
    data_types: [
      ...Object.entries(metadata.data_types ?? {}).map(([dataType, report]) => rowOf(dataType, report)),
      ...Object.entries(exportsOf(metadata)).map(([dataType, report]) => rowOf(dataType, report)),
    ],
  };
}

/** Returns the data types whose history the vendor exports. */
function exportsOf({ exports }: SyncRun['metadata']): Record<string, Record<string, unknown>> {
  return (exports ?? {}) as Record<string, Record<string, unknown>>;
}

function rowOf(dataType: string, report: Record<string, unknown>): SyncHistory['data_types'][number] {
  const { inserted, updated, items, status, error } = report;
  const isCounted = typeof inserted === 'number' && typeof updated === 'number';
  const arrived = typeof items === 'number' ? items : null;
  return {
    data_type: dataType,
    status: String(status),
    items_processed: isCounted ? inserted + updated : arrived,
    error: typeof error === 'string' ? error : null,
  };
}
