/** A token of a filter expression. */
export interface Token {
  kind: 'name' | 'operator' | 'text' | 'word' | 'parenthesis';
  text: string;
}

const PIECES = /\s*(?:("(?:[^"\\]|\\.)*")|(>=|<=|!=|=|<|>|:)|([()])|([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*))/y;

/** Splits an expression into tokens; undefined for invalid parts such as a bare number or an open quote. */
export function filterTokens(expression: string): Token[] | undefined {
  const text = expression.trim();
  const tokens: Token[] = [];
  PIECES.lastIndex = 0;
  while (PIECES.lastIndex < text.length) {
    const match = PIECES.exec(text);
    if (!match) return undefined;
    const [, quoted, operator, parenthesis, name = ''] = match;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.slice(1, -1) });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator });
    else if (parenthesis !== undefined) tokens.push({ kind: 'parenthesis', text: parenthesis });
    else tokens.push({ kind: /^(AND|OR|NOT)$/.test(name) ? 'word' : 'name', text: name });
  }
  return tokens;
}
