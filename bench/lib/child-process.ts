import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const startProcess = (file: URL): ChildProcess => fork(fileURLToPath(file), { execArgv: [] })

/** The next message of a process. @throws when the process exits first */
export async function nextMessage<Message>(child: ChildProcess, name: string): Promise<Message> {
  const over = new AbortController()
  const ended = once(child, 'exit', { signal: over.signal }).then(() => {
    throw new Error(`${name} ended`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: over.signal }), ended])) as [
      Message,
    ]
    return message
  } finally {
    ended.catch(() => undefined)
    over.abort()
  }
}
