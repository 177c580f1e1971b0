const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Ink = keyof typeof CODES;

/** Colors a text if the terminal allows it. Output must be clear without color. */
export function paint(allowed: boolean, ink: Ink, text: string): string {
  const [on, off] = CODES[ink];
  return allowed ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}
