// `npm run dev`: runs the service and the console from their sources; both follow every edit.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { build, generateContract, SERVICE_FOLDERS } from './build.mjs';
import { main, root, say, ToolFailure } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { PROGRAMS, stopWithNpm } from './programs.mjs';

/** Wait after an edit. An editor may write a file in several steps, and switching branches writes many files. */
const SETTLED_MS = 80;

const DECLARATIONS = join(root, 'packages/schemas/src');

/** The service as a separate process that can be restarted. */
class Service {
  #process;
  #ended = Promise.resolve();
  #isRestarting = false;

  start() {
    this.#process = spawn(process.execPath, ['--enable-source-maps', join(root, PROGRAMS.healthd)], {
      stdio: 'inherit',
      // Ctrl-C reaches only this script, which stops the service once. A second signal would end the service before its
      // database.
      detached: true,
    });
    this.#ended = new Promise((ended) => this.#process.once('exit', ended));
  }

  async stop() {
    this.#process.kill('SIGTERM');
    await this.#ended;
  }

  /**
   * Kills the old process. The new process adopts the running database, which saves a second. Edits during a restart do
   * not trigger another restart.
   */
  async restart() {
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    this.#process.kill('SIGKILL');
    await this.#ended;
    this.#isRestarting = false;
    this.start();
  }
}

await main(async () => {
  stopWithNpm();
  await ensureInstalled();
  await build({ everything: false });
  // Loaded after the installation, because transpile.mjs needs Rolldown.
  const { isTranspiled, transpileFile } = await import('./transpile.mjs');

  const service = new Service();
  const console = spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'], {
    cwd: join(root, 'console'),
    env: { ...process.env, HEALTHD_ADDRESS: `http://127.0.0.1:${process.env.PORT || 8000}` },
    stdio: ['ignore', 2, 2],
  });
  service.start();

  const changed = new Set();
  let timer;
  for (const folder of SERVICE_FOLDERS) {
    const source = join(root, folder, 'src');
    watch(source, { recursive: true }, (_, name) => {
      if (!name || !isTranspiled(name)) return;
      changed.add(join(source, name));
      clearTimeout(timer);
      timer = setTimeout(apply, SETTLED_MS);
    });
  }

  async function apply() {
    const files = [...changed].filter((file) => existsSync(file));
    changed.clear();
    try {
      files.forEach(transpileFile);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      return say(error.message);
    }
    // The watcher reports the regenerated contract as a separate change.
    if (files.some((file) => file.startsWith(DECLARATIONS)) && (await generateContract()) !== 0) return;
    say(
      `Restarting after a change of ${files.length === 1 ? files[0].slice(root.length + 1) : `${files.length} files`} …`,
    );
    await service.restart();
  }

  await new Promise((ended) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, ended);
    console.once('exit', ended);
  });
  console.kill();
  await service.stop();
  // Exits explicitly, because the watchers would keep this process alive.
  process.exit();
});
