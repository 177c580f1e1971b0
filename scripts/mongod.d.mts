/** Exactly one of `uri`, `binary` and `reason` is set. */
export interface FoundMongod {
  uri?: string;
  binary?: string;
  reason?: string;
}
export function findMongod(): Promise<FoundMongod>;
