const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

/** Bytes of a size such as `300MB` or `2GB` (powers of ten); undefined when it is none. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([KMG]B)$/i.exec(text.trim()) ?? [];
  const factor = UNITS[unit?.toUpperCase() ?? ''];
  return factor === undefined ? undefined : Math.round(Number(amount) * factor);
}

/** A size as people write it, in powers of ten. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${trimmed(bytes / 1e9)} GB`;
  return bytes >= 1e6 ? `${trimmed(bytes / 1e6)} MB` : `${trimmed(bytes / 1e3)} kB`;
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(3)));
}
