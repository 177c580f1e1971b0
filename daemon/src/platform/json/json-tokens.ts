/** Tokens of JSON. The token of a bracket, comma or colon is its own byte. */
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const COLON = 0x3a;
export const COMMA = 0x2c;
/** The opening quote of a text. */
export const TEXT = 0x22;
/** The closing quote of a text. */
export const TEXT_END = 1;
/** Bytes of any other value, up to the next blank or token: a number, `true`, or invalid text. */
export const LITERAL = 2;
/** A byte of a byte order mark, which is meaningful only before the first token. */
export const MARK = 3;
/** No token: the chunk has ended. */
export const MORE = 0;

const NONE = 0;
const BACKSLASH = 0x5c;

/** Maps each byte to the token that starts with it. */
const TOKENS = new Uint8Array(256).fill(LITERAL);
for (const blank of [0x20, 0x0a, 0x0d, 0x09]) TOKENS[blank] = NONE;
for (const mark of [0xef, 0xbb, 0xbf]) TOKENS[mark] = MARK;
for (const byte of [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COLON, COMMA, TEXT]) TOKENS[byte] = byte;

/** Like `TOKENS`, but only with brackets, commas and texts, for a reader that counts items. */
const BRACKETS = new Uint8Array(256).fill(NONE);
for (const byte of [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA, TEXT]) BRACKETS[byte] = byte;

/**
 * Finds the tokens of a JSON text that arrives in chunks of any size. Does not check the grammar: each reader decides
 * which tokens it expects, and limits depth and length.
 */
export class JsonTokens {
  /** Position of the last token in its chunk. After `MORE`, the length of the chunk. */
  at = 0;
  /** If true, returns only brackets and commas, for readers that count them. */
  skim = false;
  /** True between `TEXT` and `TEXT_END`, also while skimming. */
  inText = false;
  private chunk: Uint8Array = Buffer.alloc(0);
  private position = 0;
  private escaped = false;

  /** Adds the next bytes. Call it after all tokens of the last chunk were read. */
  feed(chunk: Uint8Array): void {
    this.chunk = chunk;
    this.position = 0;
  }

  /** Returns the next token, or `MORE` at the end of the chunk. */
  next(): number {
    const { chunk, skim } = this;
    const { length } = chunk;
    const tokens = skim ? BRACKETS : TOKENS;
    let at = this.position;
    if (this.inText && length > 0) {
      this.inText = false;
      if (this.escaped) at++;
      this.escaped = false;
      at = this.textEnd(at);
      if (at < length && !skim) return this.token(TEXT_END, at);
      at++;
    }
    for (; at < length; at++) {
      const token = tokens[chunk[at] as number] as number;
      if (token === NONE) continue;
      if (token === LITERAL) return this.literal(at);
      if (token !== TEXT) return this.token(token, at);
      if (!skim) {
        this.inText = true;
        return this.token(TEXT, at);
      }
      at = this.textEnd(at + 1);
    }
    this.position = length;
    this.at = length;
    return MORE;
  }

  private token(token: number, at: number): number {
    this.at = at;
    this.position = at + 1;
    return token;
  }

  private literal(from: number): number {
    const { chunk } = this;
    let end = from + 1;
    while (end < chunk.length && TOKENS[chunk[end] as number] === LITERAL) end++;
    this.at = from;
    this.position = end;
    return LITERAL;
  }

  /** Returns the position of the closing quote, or the chunk's length if the text continues. */
  private textEnd(from: number): number {
    const { chunk } = this;
    const { length } = chunk;
    let at = from;
    for (; at < length; at++) {
      const byte = chunk[at];
      if (byte === TEXT) return at;
      if (byte === BACKSLASH) at++;
    }
    this.inText = true;
    this.escaped = at > length;
    return length;
  }
}
