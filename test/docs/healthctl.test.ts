import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { healthctlHelp } from '../support/healthctl-help.js';
import { ROOT } from './documents.js';

const page = readFileSync(join(ROOT, 'docs/healthctl.md'), 'utf8');
const [, section = ''] = /^## Commands\n(.*?)^## /ms.exec(page) ?? [];
const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test("lists exactly healthctl's commands in docs/healthctl.md", async () => {
  const listed = [...section.matchAll(/^\| (`.*?) \| (.*?)\|/gm)].flatMap(([, commands = '', subcommands = '']) =>
    names(commands).flatMap((command) => {
      const inside = names(subcommands);
      return inside.length === 0 ? [command] : inside.map((name) => `${command} ${name}`);
    }),
  );
  expect(listed.sort()).toEqual([...(await healthctlHelp()).keys()].sort());
});

test('lists the exit codes of healthctl in docs/healthctl.md', () => {
  const listed = [...page.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, meaning]) => `${code} ${meaning}`);
  const shown = execFileSync(process.execPath, [join(ROOT, 'cli/dist/main.js'), 'help', 'exit-codes'], {
    encoding: 'utf8',
  });
  const rows = shown.matchAll(/^ +(\d+) {2}(.*)$/gm);
  expect(listed).toEqual([...rows].map(([, code, meaning]) => `${code} ${meaning}`));
});
