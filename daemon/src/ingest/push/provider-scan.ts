import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonTokens,
  MARK,
  MORE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  TEXT,
  TEXT_END,
} from '../../platform/json/index.js';

const MAX_NAME = 256;

/** Result of scanning a body: not an object, or an object with the text of its `provider`, if present. */
export type ScannedBody = { kind: 'no_object' } | { kind: 'object'; provider: string | undefined };

/**
 * Finds the member `provider` of a JSON object while its bytes arrive. Clients send it first, so the scan usually stops
 * early. Parsing a body of 2,000 records would block all other requests for 16 ms. After the provider only the last
 * byte is tracked; the worker finds other syntax errors.
 */
export class ProviderScan {
  private readonly tokens = new JsonTokens();
  private depth = 0;
  private text: Buffer = Buffer.alloc(0);
  private key: string | undefined;
  private expectsValue = false;
  private started = false;
  private isObject = true;
  private found: string | undefined;
  private isDone = false;
  private last = 0;

  push(chunk: Uint8Array): void {
    if (!this.isDone && this.isObject) this.look(chunk);
    for (let at = chunk.length - 1; at >= 0; at--) {
      if (isBlank(chunk[at] as number)) continue;
      this.last = chunk[at] as number;
      return;
    }
  }

  end(): ScannedBody {
    const whole = this.isDone ? this.last === CLOSE_OBJECT : this.started && this.depth === 0 && !this.tokens.inText;
    if (!this.isObject || !this.started || !whole) return { kind: 'no_object' };
    return { kind: 'object', provider: this.found };
  }

  private look(chunk: Uint8Array): void {
    const { tokens } = this;
    tokens.feed(chunk);
    let textFrom = 0;
    for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
      if (token === TEXT_END) this.endText(chunk.subarray(textFrom, tokens.at));
      else this.step(token);
      if (token === TEXT) textFrom = tokens.at + 1;
      if (this.isDone || !this.isObject) return;
    }
    if (tokens.inText && !tokens.skim) this.keepText(chunk.subarray(textFrom));
  }

  private step(token: number): void {
    if (!this.started) {
      if (token === MARK) return;
      this.started = true;
      this.isObject = token === OPEN_OBJECT;
      this.depth = 1;
    } else if (this.depth === 0) this.isObject = false;
    else if (token === OPEN_OBJECT || token === OPEN_ARRAY) this.depth++;
    else if (token === CLOSE_OBJECT || token === CLOSE_ARRAY) this.depth--;
    else if (this.depth === 1 && token === COLON) this.expectsValue = true;
    else if (this.depth === 1 && token === COMMA) this.expectsValue = false;
    this.tokens.skim = this.depth > 1;
  }

  private keepText(piece: Uint8Array): void {
    const room = MAX_NAME - this.text.length;
    if (room > 0) this.text = Buffer.concat([this.text, piece.subarray(0, room)]);
  }

  private endText(piece: Uint8Array): void {
    this.keepText(piece);
    const text = decoded(this.text);
    this.text = Buffer.alloc(0);
    if (!this.expectsValue) this.key = text;
    else if (this.key === 'provider') {
      this.found = text;
      this.isDone = true;
    }
  }
}

function decoded(bytes: Buffer): string {
  const raw = bytes.toString();
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
