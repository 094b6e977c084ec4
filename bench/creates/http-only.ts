import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export async function startHttpOnly(answer: string): Promise<{ port: number; stop(): void }> {
  const child = fork(fileURLToPath(new URL('./http-only-process.ts', import.meta.url)), { execArgv: [] })
  child.send({ answer })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { port, stop: () => child.disconnect() }
}
