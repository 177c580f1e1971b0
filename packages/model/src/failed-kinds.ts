/** A data type that could not be read, with the code of its error. */
export interface FailedKind {
  dataType: string;
  error: string;
}

/** Maximum number of names to list if all data types failed. A longer list is harder to read than its count. */
const NAMED = 3;

/**
 * Groups failures by code: `all 13 data types: unavailable 500`, or `sleep, steps: unavailable 503`.
 * @param kinds number of data types that the run had to read
 */
export function groupFailedKinds(failed: readonly FailedKind[], kinds: number): string[] {
  const namesOf = new Map<string, string[]>();
  for (const { dataType, error } of failed) {
    const names = namesOf.get(error);
    if (names) names.push(dataType);
    else namesOf.set(error, [dataType]);
  }
  return [...namesOf].map(([error, names]) => {
    const isAll = names.length > NAMED && names.length === kinds;
    return `${isAll ? `all ${kinds} data types` : names.join(', ')}: ${error}`;
  });
}
