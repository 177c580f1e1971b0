import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';

/** Output of a program in a separate terminal, without colors. Redrawn lines appear in their final form. */
export class TerminalProgram {
  readonly #pty: IPty;
  #raw = '';
  readonly ended: Promise<number>;

  constructor(file: string, args: readonly string[], options: { env: Record<string, string>; cwd: string }) {
    this.#pty = spawn(file, [...args], { ...options, name: 'xterm', cols: 100, rows: 40 });
    this.#pty.onData((text) => {
      this.#raw += text;
    });
    this.ended = new Promise((done) => this.#pty.onExit(({ exitCode }) => done(exitCode)));
  }

  get shown(): string {
    return screenText(this.#raw);
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  end(): void {
    this.#pty.kill();
  }
}

/** Removes escape sequences from terminal output. Keeps the last version of a redrawn line. */
function screenText(raw: string): string {
  const plain = stripVTControlCharacters(raw.replaceAll('\u001b[K', '\r'));
  return plain
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}
