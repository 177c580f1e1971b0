import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = resolve(import.meta.dirname, '../../daemon/src');
const DECIDE = join(SOURCES, 'store/decide');

const PURE_PACKAGES = new Set(['@healthd/model', 'node:util']);

/** Returns the modules that a file loads at run time. Excludes type imports, which the compiler erases. */
function loaded(text: string): string[] {
  return [...text.matchAll(/^(?:import|export) (?!type )(?:([^;]*?) from )?'([^']+)';/gm)].flatMap(
    ([, names, module]) => {
      const listed = /^\{([^}]*)\}$/.exec(names ?? '')?.[1]?.split(',') ?? [];
      const isOfTypes =
        listed.length > 0 && listed.every((name) => name.trim() === '' || name.trim().startsWith('type '));
      return isOfTypes || module === undefined ? [] : [module];
    },
  );
}

/** Returns all modules that a file loads directly or indirectly, with the files that lead to them. */
async function reached(file: string, seen: Map<string, string[]>, path: string[] = []): Promise<Map<string, string[]>> {
  for (const module of loaded(await readFile(file, 'utf8'))) {
    const target = module.startsWith('.') ? join(dirname(file), module.replace(/\.js$/, '.ts')) : module;
    if (seen.has(target)) continue;
    seen.set(target, [...path, relative(SOURCES, file)]);
    if (module.startsWith('.')) await reached(target, seen, [...path, relative(SOURCES, file)]);
  }
  return seen;
}

test('finds only run-time imports', () => {
  expect(
    loaded(`import type pg from 'pg';\nimport { type A, b } from './b.js';\nimport { type C } from './c.js';\n`),
  ).toEqual(['./b.js']);
});

test('keeps store/decide free of SQL, I/O and clocks', async () => {
  const files = (await readdir(DECIDE)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(5);
  const faults: string[] = [];
  for (const name of files) {
    const modules = await reached(join(DECIDE, name), new Map());
    for (const [module, path] of modules) {
      if (module.startsWith('/') ? module.includes('/platform/database/') : !PURE_PACKAGES.has(module)) {
        faults.push(`${path.join(' → ')} → ${relative(SOURCES, module)}`);
      }
    }
    const text = await readFile(join(DECIDE, name), 'utf8');
    if (/Date\.now|new Date\(\)|performance\.now|randomUUID|Math\.random|process\./.test(text)) faults.push(name);
    if (/\.query\(|\bselect \w|\bclient\b/.test(text)) faults.push(`${name} has SQL or a client`);
  }
  expect(faults).toEqual([]);
});
