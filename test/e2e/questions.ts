import { expect } from 'vitest';
import { PROGRAMS } from '../support/programs.js';
import { TerminalProgram } from '../support/terminal.js';
import type { World } from './cli-world.js';

const ARROW_DOWN = '\u001b[B';

/** Response to one prompt of a command. */
export interface Answer {
  question: string;
  types: string;
  /** True if the typed text must not appear on the terminal. */
  isSecret?: boolean;
}

/** Moves the selection from the first choice to the second choice. */
export const SECOND_CHOICE = ARROW_DOWN;

/** Runs healthctl on a terminal and types these responses in order. Returns its result and output. */
export async function answerPrompts(
  world: Pick<World, 'folder' | 'home'>,
  args: readonly string[],
  answers: readonly Answer[],
): Promise<{ code: number; shown: string }> {
  const terminal = new TerminalProgram(process.execPath, [PROGRAMS.healthctl, ...args], {
    cwd: world.folder,
    env: { PATH: process.env.PATH ?? '', HOME: world.home, TERM: 'xterm', NO_COLOR: '1' },
  });
  try {
    for (const { question, types } of answers) {
      await expect.poll(() => terminal.shown).toContain(question);
      terminal.type(`${types}\r`);
    }
    const code = await terminal.ended;
    const { shown } = terminal;
    for (const { types, isSecret } of answers) if (isSecret) expect(shown).not.toContain(types);
    return { code, shown };
  } finally {
    terminal.end();
  }
}
