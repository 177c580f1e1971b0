const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

/** Parses a size such as `300MB` or `2GB` (powers of ten) to bytes. Returns undefined if the size is invalid. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([KMG]B)$/i.exec(text.trim()) ?? [];
  const factor = UNITS[unit?.toUpperCase() ?? ''];
  return factor === undefined ? undefined : Math.round(Number(amount) * factor);
}

const COUNT_UNITS: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6 };

/** Parses a number such as `250k` or `10M` (powers of ten). Returns undefined if the number is invalid. */
export function parseCount(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([KM]?)$/i.exec(text.trim()) ?? [];
  const factor = COUNT_UNITS[unit?.toUpperCase() ?? ''];
  const count = factor === undefined ? 0 : Math.round(Number(amount) * factor);
  return count > 0 ? count : undefined;
}

/** Formats a size for display, in powers of ten. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${trimmed(bytes / 1e9)} GB`;
  return bytes >= 1e6 ? `${trimmed(bytes / 1e6)} MB` : `${trimmed(bytes / 1e3)} kB`;
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(3)));
}
