/** Exactly one of `binary` and `reason` is set. */
export interface FoundChromium {
  binary?: string;
  reason?: string;
}
export function findChromium(options?: { mayInstall?: boolean }): Promise<FoundChromium>;
