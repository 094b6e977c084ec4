import { once } from 'node:events'
import { type Browser, missing, start, temporaryProfile } from './browser.ts'

interface Evaluated {
  readonly type: 'success' | 'exception'
  readonly result?: { readonly value?: string }
  readonly exceptionDetails?: { readonly text: string }
}

/** Firefox speaks WebDriver BiDi itself, without a driver beside it. */
export async function openFirefox(): Promise<Browser> {
  const profile = temporaryProfile()
  const options = ['--headless', '--no-remote', '--profile', profile.folder, '--remote-debugging-port', '0']
  const firefox = await start(
    ['firefox-esr', ...options],
    /listening on (ws:\/\/\S+)/,
    missing('Firefox', 'firefox-esr'),
  ).catch((error: unknown) => {
    profile.remove()
    throw error
  })
  const socket = new WebSocket(`${firefox.reported}/session`)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data))
    const call = waiting.get(id)
    if (type === 'error') call?.reject(new Error(message))
    else call?.resolve(result)
  })
  let calls = 0
  async function call<T>(method: string, params: object = {}): Promise<T> {
    calls += 1
    const answered = Promise.withResolvers<unknown>()
    waiting.set(calls, answered)
    socket.send(JSON.stringify({ id: calls, method, params }))
    return (await answered.promise) as T
  }
  await call('session.new', { capabilities: {} })
  const { contexts } = await call<{ contexts: { context: string }[] }>('browsingContext.getTree')
  const context = contexts[0]?.context
  return {
    async goto(url) {
      await call('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(expression) {
      const { type, result, exceptionDetails } = await call<Evaluated>('script.evaluate', {
        expression: `JSON.stringify((${expression}) ?? null)`,
        target: { context },
        awaitPromise: false,
      })
      if (type === 'exception') throw new Error(exceptionDetails?.text)
      return JSON.parse(result?.value ?? 'null')
    },
    async close() {
      socket.close()
      await firefox.stop()
      profile.remove()
    },
  }
}
