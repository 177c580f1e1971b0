const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const MAX_NAME = 256;

/** What the door knows of a body: no object at all, or an object and the text of its `provider`, if it has one. */
export type ScannedBody = { kind: 'no_object' } | { kind: 'object'; provider: string | undefined };

/**
 * Finds the member `provider` of a JSON object while its bytes arrive. Clients send it first, so nearly nothing is looked
 * at: parsing a body of 2,000 records takes 16 ms, and every other request would wait for it. Once the provider is known
 * only the last byte is remembered; the worker finds other errors of the text.
 */
export class ProviderScan {
  private depth = 0;
  private inText = false;
  private escaped = false;
  private text: number[] = [];
  private key: string | undefined;
  private expectsValue = false;
  private started = false;
  private isObject = true;
  private found: string | undefined;
  private isDone = false;
  private last = 0;

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.isDone && this.isObject; at++) this.look(chunk[at] as number);
    for (let at = chunk.length - 1; at >= 0; at--) {
      if (isBlank(chunk[at] as number)) continue;
      this.last = chunk[at] as number;
      return;
    }
  }

  end(): ScannedBody {
    const whole = this.isDone ? this.last === CLOSE_OBJECT : this.started && this.depth === 0 && !this.inText;
    if (!this.isObject || !this.started || !whole) return { kind: 'no_object' };
    return { kind: 'object', provider: this.found };
  }

  private look(byte: number): void {
    if (this.inText) {
      this.lookInText(byte);
      return;
    }
    if (isBlank(byte)) return;
    if (!this.started) {
      // A byte order mark
      if (byte === 0xef || byte === 0xbb || byte === 0xbf) return;
      this.started = true;
      this.isObject = byte === OPEN_OBJECT;
      this.depth = 1;
      return;
    }
    if (this.depth === 0) this.isObject = false;
    else if (byte === QUOTE) {
      this.inText = true;
      this.text = [];
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.depth--;
    else if (this.depth === 1 && byte === COLON) this.expectsValue = true;
    else if (this.depth === 1 && byte === COMMA) this.expectsValue = false;
  }

  private lookInText(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) {
      this.inText = false;
      if (this.depth === 1) this.endText();
      return;
    }
    if (this.depth === 1 && this.text.length < MAX_NAME) this.text.push(byte);
  }

  private endText(): void {
    const text = decoded(this.text);
    if (!this.expectsValue) this.key = text;
    else if (this.key === 'provider') {
      this.found = text;
      this.isDone = true;
    }
  }
}

function decoded(bytes: readonly number[]): string {
  const raw = Buffer.from(bytes).toString();
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
