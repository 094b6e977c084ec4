import { Worker } from 'node:worker_threads'

export type HashingTask = { readonly password: string; readonly secret: Uint8Array } & (
  | { readonly against: string }
  | { readonly cost: Cost }
)
export type HashingAnswer = { readonly value: string | boolean } | { readonly fault: string }

interface Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/**
 * Passwords are hashed on threads of their own that stand back for everything else: hashing takes what the processors have left over,
 * and nobody who only wants to see a page waits for those who sign in.
 */
export const hash = (password: string, secret: Uint8Array, cost: Cost, atMost: number): Promise<string> =>
  onThread({ password, secret, cost }, atMost) as Promise<string>

export const verify = (
  against: string,
  password: string,
  secret: Uint8Array,
  atMost: number,
): Promise<boolean> => onThread({ against, password, secret }, atMost) as Promise<boolean>

interface Waiting {
  resolve(value: string | boolean): void
  reject(error: Error): void
}

interface Thread {
  readonly worker: Worker
  /** It answers in the order in which it was asked. */
  readonly waiting: Waiting[]
}

const threads: Thread[] = []

function onThread(task: HashingTask, atMost: number): Promise<string | boolean> {
  const { worker, waiting } = leastBusy(atMost)
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject })
    worker.ref()
    worker.postMessage(task)
  })
}

function leastBusy(atMost: number): Thread {
  const [least] = threads.toSorted((a, b) => a.waiting.length - b.waiting.length)
  return least && (least.waiting.length === 0 || threads.length >= atMost) ? least : started()
}

function started(): Thread {
  const worker = new Worker(new URL('./hashing-thread.ts', import.meta.url))
  const thread: Thread = { worker, waiting: [] }
  const lost = (error: Error) => {
    threads.splice(threads.indexOf(thread), threads.includes(thread) ? 1 : 0)
    for (const { reject } of thread.waiting.splice(0)) reject(error)
  }
  worker.on('error', (error) => lost(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', (code) => lost(new Error(`a hashing thread ended with ${code}`)))
  worker.on('message', (answer: HashingAnswer) => {
    const first = thread.waiting.shift()
    // It keeps no process alive.
    if (thread.waiting.length === 0) worker.unref()
    if ('fault' in answer) first?.reject(new Error(answer.fault))
    else first?.resolve(answer.value)
  })
  threads.push(thread)
  return thread
}
