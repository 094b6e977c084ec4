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
export const hash = (password: string, secret: Uint8Array, cost: Cost): Promise<string> =>
  onThread({ password, secret, cost }) as Promise<string>

export const verify = (against: string, password: string, secret: Uint8Array): Promise<boolean> =>
  onThread({ against, password, secret }) as Promise<boolean>

/** Threads that have nothing to do. How many there are at most is for the caller to say, who lets in only so many at once. */
const idle: Worker[] = []

function onThread(task: HashingTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL('./hashing-thread.ts', import.meta.url))
  thread.ref()
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => reject(error instanceof Error ? error : new Error(String(error)))
    const ended = (code: number) => failed(new Error(`a hashing thread ended with ${code}`))
    thread.once('error', failed)
    thread.once('exit', ended)
    thread.once('message', (answer: HashingAnswer) => {
      thread.off('error', failed)
      thread.off('exit', ended)
      // It keeps no process alive.
      thread.unref()
      idle.push(thread)
      if ('fault' in answer) failed(answer.fault)
      else resolve(answer.value)
    })
    thread.postMessage(task)
  })
}
