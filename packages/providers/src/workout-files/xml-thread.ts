import { Worker } from 'node:worker_threads';
import { DocumentError, type DocumentFault, NoWorkoutError } from './document-fault.js';
import type { FileWorkout } from './file-workout.js';

/** Response of the thread to one document. */
export type XmlAnswer = { workouts: FileWorkout[] } | { fault: DocumentFault } | { noWorkout: string };

/** Heap limits of the thread. The tree of a 20 MB document needs less. */
const HEAP = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };
/** Time limit of one document, several times the time for a document of 20 MB. */
const LIMIT_MS = 30_000;

/**
 * Reads GPX and TCX documents in a separate thread, one at a time. Ends the thread if a document exceeds its limits, so
 * that the next document gets a new thread.
 */
export class XmlThread {
  private worker: Worker | undefined;

  /** @param limitMs time limit of one document */
  constructor(private readonly limitMs = LIMIT_MS) {}

  /** @throws DocumentError, NoWorkoutError */
  async read(bytes: Uint8Array): Promise<FileWorkout[]> {
    this.worker ??= new Worker(program(), { resourceLimits: HEAP, execArgv: [] });
    const answer = await this.answer(this.worker, bytes);
    if ('workouts' in answer) return answer.workouts;
    if ('noWorkout' in answer) throw new NoWorkoutError(answer.noWorkout);
    throw new DocumentError(answer.fault);
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async answer(worker: Worker, bytes: Uint8Array): Promise<XmlAnswer> {
    let timer: NodeJS.Timeout | undefined;
    let onError: ((error: Error) => void) | undefined;
    let onAnswer: ((answer: XmlAnswer) => void) | undefined;
    try {
      return await new Promise<XmlAnswer>((resolve, reject) => {
        onAnswer = resolve;
        onError = (error) => reject(isOutOfMemory(error) ? new DocumentError('document_too_complex') : error);
        timer = setTimeout(() => reject(new DocumentError('document_too_slow')), this.limitMs);
        worker.once('message', onAnswer);
        worker.once('error', onError);
        worker.postMessage(bytes);
      });
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
      if (onAnswer) worker.off('message', onAnswer);
      if (onError) worker.off('error', onError);
    }
  }
}

function isOutOfMemory(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function program(): URL {
  const compiled = import.meta.url.endsWith('.js') ? './xml-worker.js' : '../../dist/workout-files/xml-worker.js';
  return new URL(compiled, import.meta.url);
}
