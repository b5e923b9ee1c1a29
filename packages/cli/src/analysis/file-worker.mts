// Analyses files in a thread of its own, one behind the other.
import { parentPort, workerData } from 'node:worker_threads';
import { analyseFile } from './file.mjs';
import type { MessagePort } from 'node:worker_threads';
import type { FileOptions, FileTexts } from './file.mjs';
import type { Answers, Names } from './paid.mjs';

/** What the thread is told: a file, and in answer to `names` which of them were paid. */
export type Asked = { type: 'file'; path: string } | { type: 'paid'; paid: Answers<boolean> };
/** What it tells. */
export type Told =
  | { type: 'names'; names: Names; isLast: boolean }
  | { type: 'session' }
  | { type: 'done'; texts: FileTexts }
  | { type: 'failed'; error: unknown };

const options: FileOptions = workerData;
const port = parentPort as MessagePort;
const tell = (told: Told) => port.postMessage(told);
let resolve: (paid: Answers<boolean>) => void = () => {};

async function analyse(path: string) {
  try {
    const texts = await analyseFile(
      path,
      options,
      (names, isLast) => {
        const answer = new Promise<Answers<boolean>>((answered) => {
          resolve = answered;
        });
        tell({ type: 'names', names, isLast });
        return answer;
      },
      () => tell({ type: 'session' }),
    );
    tell({ type: 'done', texts });
  } catch (error) {
    tell({ type: 'failed', error });
  }
}

port.on('message', (asked: Asked) => {
  if (asked.type === 'paid') resolve(asked.paid);
  else void analyse(asked.path);
});
