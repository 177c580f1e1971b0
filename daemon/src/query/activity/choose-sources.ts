import { seriesTypeIds } from '@healthd/model';
import type { Priorities } from '../../priorities/index.js';
import type { DayValueRow } from './day-value-row.js';
import { FAMILIES, type Family } from './families.js';

/** What vendors work out for the person and not for a device. */
const OF_THE_PERSON: readonly number[] = seriesTypeIds(['basal_energy']);

/**
 * What the winning source of one family has that day, by type id; what it lacks and the provider reports of the person,
 * from the provider's source without a device.
 */
export interface Winner {
  source: DayValueRow;
  values: ReadonlyMap<number, DayValueRow>;
}

/** The winner of every family on one day, given all values of that day; undefined where no one has a value. */
export function chooseSources(
  rows: readonly DayValueRow[],
  priorities: Priorities,
): Record<Family, Winner | undefined> {
  const winner = (family: Family) => chooseSource(rows, FAMILIES[family], priorities);
  return { movement: winner('movement'), energy: winner('energy'), heart: winner('heart') };
}

function chooseSource(
  rows: readonly DayValueRow[],
  types: readonly number[],
  priorities: Priorities,
): Winner | undefined {
  for (const lead of types) {
    const best = rows.filter((row) => row.type_id === lead).sort((a, b) => priorities.compare(ranked(a), ranked(b)))[0];
    if (!best) continue;
    const own = rows.filter((row) => row.source_id === best.source_id && types.includes(row.type_id));
    const values = new Map(own.map((row) => [row.type_id, row]));
    for (const row of ofThePerson(rows, types, best.provider, priorities)) {
      if (!values.has(row.type_id)) values.set(row.type_id, row);
    }
    return { source: best, values };
  }
  return undefined;
}

/** A provider's values that no device measured, best source first. */
function ofThePerson(
  rows: readonly DayValueRow[],
  types: readonly number[],
  provider: string,
  priorities: Priorities,
): DayValueRow[] {
  return rows
    .filter(
      (row) =>
        row.provider === provider &&
        row.device_model === null &&
        types.includes(row.type_id) &&
        OF_THE_PERSON.includes(row.type_id),
    )
    .sort((a, b) => priorities.compare(ranked(a), ranked(b)));
}

/** A value's source as priorities rank it. */
export function ranked(row: DayValueRow) {
  return {
    provider: row.provider,
    deviceType: row.device_type,
    sourceId: row.source_id,
    coveredMinutes: row.covered_minutes,
  };
}
