// Starts the program that gather.ts bundled next to this file. Stores V8's compiled code of the first successful process
// next to each file, so that later processes start faster.
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const modules = new Map();
const uncached = new Map();

function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  compile(join(__dirname, name))(module.exports, requireFrom, module, join(__dirname, name), __dirname);
  return module.exports;
}

/** Compiles a module's wrapper function, as Node does. */
function compile(file) {
  const source = readFileSync(file, 'utf8').replace(/^#!.*/, '');
  const cachedData = readIfThere(`${file}.compiled`);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData,
  });
  if (cachedData === undefined) uncached.set(`${file}.compiled`, script);
  return script.runInThisContext();
}

const requireFrom = Object.assign((name) => (name.startsWith('./') ? load(name.slice(2)) : require(name)), require);

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

// Stores the compiled code when the process ends, because it then includes all functions that were used.
process.once('exit', (code) => {
  if (code !== 0) return;
  for (const [file, script] of uncached) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, file);
  }
});

if (existsSync(join(__dirname, 'flags.js'))) load('flags.js');
load('program.js');
