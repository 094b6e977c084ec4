import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer that a proxy's client should not see. */
export interface Problem {
  readonly member: string
  readonly call: string
  /** The status, or the reason why there was no answer. */
  readonly answer: string
}

export interface Router {
  readonly url: string
  /** Answers by member and class of status, such as `2xx`. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Errors of a server apart from 503 with Retry-After, and calls without an answer. */
  readonly problems: readonly Problem[]
  /** Refusals for a moment: 503 with Retry-After. */
  readonly refusals: number
  add(member: { readonly name: string; readonly url: string }): void
  remove(name: string): void
  /** The members that are ready. */
  ready(): readonly string[]
  close(): Promise<void>
}

interface Backend {
  readonly name: string
  readonly url: URL
  readonly agent: Agent
  isReady: boolean
  silentChecks: number
}

const CHECK_MS = 250
const CHECK_TIMEOUT_MS = 2000
/** A busy member may answer late. */
const SILENT_CHECKS = 3
const ANSWER_TIMEOUT_MS = 30_000

/** A proxy as in front of every installation: one member after the other, if its /readyz answers 200. */
export async function startRouter(): Promise<Router> {
  const backends = new Map<string, Backend>()
  const answers = new Map<string, Map<string, number>>()
  const problems: Problem[] = []
  let refusals = 0
  let turn = 0

  function count(member: string, kind: string): void {
    const counted = answers.get(member) ?? new Map<string, number>()
    counted.set(kind, (counted.get(kind) ?? 0) + 1)
    answers.set(member, counted)
  }

  async function check(backend: Backend): Promise<void> {
    const answer = await fetch(new URL('/readyz', backend.url), {
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    }).catch(() => undefined)
    await answer?.body?.cancel().catch(() => undefined)
    backend.silentChecks = answer === undefined ? backend.silentChecks + 1 : 0
    if (answer) backend.isReady = answer.ok
    else if (backend.silentChecks >= SILENT_CHECKS) backend.isReady = false
  }
  const checks = setInterval(() => {
    for (const backend of backends.values()) void check(backend)
  }, CHECK_MS)

  function next(): Backend | undefined {
    const ready = [...backends.values()].filter(({ isReady }) => isReady)
    turn += 1
    return ready[turn % ready.length]
  }

  /** Every redirection is to a member that has not refused the connection. */
  async function forward(incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const call = `${incoming.method} ${incoming.url?.replace(/\?.*/, '')}`
    for (;;) {
      const backend = next()
      if (!backend) {
        problems.push({ member: 'router', call, answer: 'no member is ready' })
        response.writeHead(502).end()
        return
      }
      try {
        const answer = await send(backend, incoming, body)
        const status = answer.statusCode ?? 0
        count(backend.name, `${Math.floor(status / 100)}xx`)
        if (status === 503 && answer.headers['retry-after'] !== undefined) refusals += 1
        else if (status >= 500) problems.push({ member: backend.name, call, answer: String(status) })
        response.writeHead(status, answer.headers)
        answer.pipe(response)
        answer.once('error', () => response.destroy())
        return
      } catch (error) {
        const { code = String(error) } = error as { code?: string }
        if (code === 'ECONNREFUSED') {
          backend.isReady = false
          continue
        }
        count(backend.name, 'none')
        problems.push({ member: backend.name, call, answer: code })
        response.writeHead(502).end()
        return
      }
    }
  }

  const server = createServer(async (incoming, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      await forward(incoming, Buffer.concat(chunks), response)
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    problems,
    get refusals() {
      return refusals
    },
    add({ name, url }) {
      const agent = new Agent({ keepAlive: true })
      const backend = { name, url: new URL(url), agent, isReady: false, silentChecks: 0 }
      backends.set(name, backend)
      void check(backend)
    },
    remove(name) {
      backends.get(name)?.agent.destroy()
      backends.delete(name)
    },
    ready: () => [...backends.values()].filter(({ isReady }) => isReady).map(({ name }) => name),
    async close() {
      clearInterval(checks)
      for (const { agent } of backends.values()) agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Rejects when no answer has begun. */
function send({ url, agent }: Backend, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: url.hostname,
      port: url.port,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
      timeout: ANSWER_TIMEOUT_MS,
    })
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer within 30 s')))
    outgoing.end(body)
  })
}
