const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Ink = keyof typeof CODES;

/** Colours a text where colour is allowed; meaning never hangs on it. */
export function paint(allowed: boolean, ink: Ink, text: string): string {
  const [on, off] = CODES[ink];
  return allowed ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}
