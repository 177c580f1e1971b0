/** Names of secrets in requests and responses. */
const SECRET_NAMES = /^(key|token|code|password|\w+_password|access_token|refresh_token|app_secret)$/;
/** Matches the code of a series or of an error. Such a code is a word and not a secret. */
const WORD = /^[a-z]+(_[a-z0-9]+)*$/;
/**
 * Minimum length of a secret. Shorter texts, and texts with few different characters (`xxxxxxxx` in a test), appear in
 * logs by chance.
 */
const MIN_LENGTH = 8;
const MIN_SIGNS = 4;

/** Collects the secrets of a test and finds them in logs and error bodies, which must not contain any. */
export class SecretWatch {
  readonly #known = new Set<string>();

  get size(): number {
    return this.#known.size;
  }

  /** Adds a secret to the watch. */
  know(secret: string | undefined): void {
    if (secret === undefined || secret.length < MIN_LENGTH || new Set(secret).size < MIN_SIGNS) return;
    this.#known.add(secret);
  }

  /** Adds all secrets of a body: parsed JSON, or JSON or a form as text. */
  knowBody(body: unknown): void {
    if (typeof body === 'string') this.knowBody(parsedText(body));
    else if (Array.isArray(body)) for (const item of body) this.knowBody(item);
    else if (typeof body === 'object' && body !== null) {
      for (const [name, value] of Object.entries(body)) {
        if (typeof value === 'string' && SECRET_NAMES.test(name)) {
          if (name !== 'code' || !WORD.test(value)) this.know(value);
        } else if (typeof value !== 'string') this.knowBody(value);
      }
    }
  }

  /** Adds the credentials that the headers contain. */
  knowHeaders(headers: Headers): void {
    for (const [name, value] of headers) {
      if (name === 'authorization') this.know(value.replace(/^\w+ +/, ''));
      else if (name.endsWith('-api-key')) this.know(value);
      else if (name === 'cookie' || name === 'set-cookie') this.know(/healthd_session=([^;]*)/.exec(value)?.[1]);
    }
  }

  /** Returns the first secret in a text, or undefined if the text contains none. */
  find(text: string): string | undefined {
    for (const secret of this.#known) if (text.includes(secret)) return secret;
    return undefined;
  }

  /** @throws Error if a line contains a secret */
  check(lines: readonly string[], where: string): void {
    for (const line of lines) {
      const secret = this.find(line);
      if (secret) throw new Error(`${where} contains the secret ${secret}: ${line}`);
    }
  }
}

function parsedText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? undefined : value;
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}
