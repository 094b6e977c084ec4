import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { closeServer, listen } from './listen.ts'

/** A response that the client of a proxy should not receive. */
export interface Problem {
  readonly member: string
  readonly call: string
  /** The status, or the reason why there was no response. */
  readonly answer: string
}

interface Backend {
  readonly name: string
  readonly url: URL
  readonly agent: Agent
  isReady: boolean
  /** Consecutive checks without a response. */
  silentChecks: number
}

const CHECK_MS = 250
const CHECK_TIMEOUT_MS = 2000
/** A busy member may respond late. */
const SILENT_CHECKS = 3
const ANSWER_TIMEOUT_MS = 30_000

/** A proxy as in front of every installation: it forwards calls in turn to the members whose /readyz answers 200. */
export class Router {
  url = ''
  /** Responses by member and class of status, such as `2xx`. */
  readonly answers = new Map<string, Map<string, number>>()
  /** Server errors apart from 503 with Retry-After, and calls without a response. */
  readonly problems: Problem[] = []
  /** Responses 503 with Retry-After. */
  refusals = 0
  private readonly backends = new Map<string, Backend>()
  private readonly server = createServer((incoming, response) => void this.receive(incoming, response))
  private readonly checks: NodeJS.Timeout
  private turn = 0

  private constructor() {
    this.checks = setInterval(() => {
      for (const backend of this.backends.values()) void check(backend)
    }, CHECK_MS)
  }

  static async start(): Promise<Router> {
    const router = new Router()
    router.url = await listen(router.server)
    return router
  }

  add({ name, url }: { readonly name: string; readonly url: string }): void {
    const agent = new Agent({ keepAlive: true })
    const backend = { name, url: new URL(url), agent, isReady: false, silentChecks: 0 }
    this.backends.set(name, backend)
    void check(backend)
  }

  remove(name: string): void {
    this.backends.get(name)?.agent.destroy()
    this.backends.delete(name)
  }

  /** The names of the members that are ready. */
  ready(): readonly string[] {
    return this.readyBackends().map(({ name }) => name)
  }

  async close(): Promise<void> {
    clearInterval(this.checks)
    for (const { agent } of this.backends.values()) agent.destroy()
    await closeServer(this.server)
  }

  private readyBackends(): Backend[] {
    return [...this.backends.values()].filter(({ isReady }) => isReady)
  }

  private next(): Backend | undefined {
    const ready = this.readyBackends()
    this.turn += 1
    return ready[this.turn % ready.length]
  }

  private async receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.forward(incoming, await buffer(incoming), response)
    } catch {
      response.destroy()
    }
  }

  /** Sends the call to another member only when a member refused the connection, so that no call is carried out twice. */
  private async forward(incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const call = `${incoming.method} ${incoming.url?.replace(/\?.*/, '')}`
    for (;;) {
      const backend = this.next()
      if (!backend) return this.fail(response, { member: 'router', call, answer: 'no member is ready' })
      try {
        const answer = await send(backend, incoming, body)
        this.record(backend.name, call, answer)
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
        answer.once('error', () => response.destroy())
        return
      } catch (error) {
        const { code = String(error) } = error as { code?: string }
        if (code !== 'ECONNREFUSED') {
          this.count(backend.name, 'none')
          return this.fail(response, { member: backend.name, call, answer: code })
        }
        backend.isReady = false
      }
    }
  }

  private fail(response: ServerResponse, problem: Problem): void {
    this.problems.push(problem)
    response.writeHead(502).end()
  }

  private record(member: string, call: string, { statusCode: status = 0, headers }: IncomingMessage): void {
    this.count(member, `${Math.floor(status / 100)}xx`)
    if (status === 503 && headers['retry-after'] !== undefined) this.refusals += 1
    else if (status >= 500) this.problems.push({ member, call, answer: String(status) })
  }

  private count(member: string, kind: string): void {
    const counted = this.answers.get(member) ?? new Map<string, number>()
    counted.set(kind, (counted.get(kind) ?? 0) + 1)
    this.answers.set(member, counted)
  }
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

/** Rejects when no response has begun. */
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
