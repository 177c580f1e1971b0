import { parentPort } from 'node:worker_threads';
import { DocumentError, NoWorkoutError } from './document-fault.js';
import type { XmlAnswer } from './xml-thread.js';
import { readXmlWorkouts } from './xml-workouts.js';

parentPort?.on('message', (bytes: Uint8Array) => {
  parentPort?.postMessage(answerTo(bytes));
});

function answerTo(bytes: Uint8Array): XmlAnswer {
  try {
    return { workouts: readXmlWorkouts(bytes) };
  } catch (error) {
    if (error instanceof DocumentError) return { fault: error.fault };
    if (error instanceof NoWorkoutError) return { noWorkout: error.content };
    // The document is nested too deeply for the stack.
    if (error instanceof RangeError) return { fault: 'document_too_complex' };
    throw error;
  }
}
