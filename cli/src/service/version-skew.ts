/** Whether a version comes before another one, by its first two numbers: a patch changes no answers. */
export function isOlder(version: string, than: string | null): boolean {
  const [major, minor] = numbersOf(version);
  const [otherMajor, otherMinor] = numbersOf(than ?? '');
  if (otherMajor === undefined || major === undefined) return false;
  return major < otherMajor || (major === otherMajor && (minor ?? 0) < (otherMinor ?? 0));
}

/** How the fitting healthctl is had. */
export function newerHealthctl(url: string): string {
  return `The one that fits: curl -o healthctl.mjs ${url}/healthctl.mjs`;
}

function numbersOf(version: string): number[] {
  return /^(\d+)\.(\d+)\./.exec(version)?.slice(1).map(Number) ?? [];
}
