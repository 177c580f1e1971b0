export function contractText(declarations: readonly object[], members: readonly string[]): string;
