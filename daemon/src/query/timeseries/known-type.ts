import { type SeriesType, seriesTypeById } from '@healthd/model';

/** The type of a row that was selected by the ids of known types. */
export function knownType(typeId: number): SeriesType {
  const type = seriesTypeById(typeId);
  if (!type) throw new Error(`series type ${typeId} has no entry`);
  return type;
}
