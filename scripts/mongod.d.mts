/** Exactly one of the three is set. */
export interface FoundMongod {
  uri?: string;
  binary?: string;
  reason?: string;
}
export function findMongod(): Promise<FoundMongod>;
