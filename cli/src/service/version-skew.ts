/** True if `version` is older than `than`. Compares only major and minor, because patches change no responses. */
export function isOlder(version: string, than: string | null): boolean {
  const [major, minor] = numbersOf(version);
  const [otherMajor, otherMinor] = numbersOf(than ?? '');
  if (otherMajor === undefined || major === undefined) return false;
  return major < otherMajor || (major === otherMajor && (minor ?? 0) < (otherMinor ?? 0));
}

/** Returns a hint with the download of the matching healthctl. */
export function newerHealthctl(url: string): string {
  return `Download the matching version: curl -o healthctl.mjs ${url}/healthctl.mjs`;
}

function numbersOf(version: string): number[] {
  return /^(\d+)\.(\d+)\./.exec(version)?.slice(1).map(Number) ?? [];
}
