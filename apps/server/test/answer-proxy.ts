import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Call {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** The fate of an answer: the request is passed on to the provider or not, and the caller gets a bad answer or none. */
export interface Spoiling {
  readonly passesOn: boolean
  readonly answer: 'none' | 'half' | { readonly status: number; readonly type: string; readonly text: string }
}

export interface AnswerProxy {
  readonly url: string
  readonly seen: readonly Call[]
  /** Spoils the answers to these requests from now on. */
  spoil(which: (call: Call) => boolean, spoiling: Spoiling): void
  /** Rewrites the text of every good answer from now on. */
  rewrite(change: (text: string) => string): void
  /** Answers pass unchanged again. */
  restore(): void
  close(): Promise<void>
}

/** An HTTP proxy in front of a provider that records the requests and replaces answers. It keeps the header `Host`. */
export async function startAnswerProxy(target: string): Promise<AnswerProxy> {
  const seen: Call[] = []
  const unchanged = (text: string) => text
  let change = unchanged
  let spoiled: { which: (call: Call) => boolean; spoiling: Spoiling } | null = null

  async function passOn(request: IncomingMessage, body: Buffer) {
    const { method, headers } = request
    const upstream = send(new URL(request.url ?? '/', target), { method, headers, agent: false })
    upstream.end(body)
    const [response] = (await once(upstream, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) }
  }

  const server = createServer(async (request, response) => {
    try {
      const body = await buffer(request)
      const call = { method: request.method ?? '', path: request.url ?? '', body: body.toString() }
      seen.push(call)
      const spoiling = spoiled?.which(call) ? spoiled.spoiling : null
      const answer = spoiling?.passesOn === false ? null : await passOn(request, body)
      if (spoiling === null && answer !== null) {
        const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers
        response.writeHead(answer.status, headers).end(change(answer.body.toString()))
      } else if (spoiling?.answer === 'half') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
        response.write(answer?.body.subarray(0, Math.floor(answer.body.length / 2)) ?? '{"')
        setTimeout(() => response.destroy(), 20)
      } else if (spoiling === null || spoiling.answer === 'none') {
        response.destroy()
      } else {
        const { status, type, text } = spoiling.answer
        response.writeHead(status, { 'content-type': type }).end(text)
      }
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    spoil(which, spoiling) {
      spoiled = { which, spoiling }
    },
    rewrite(next) {
      change = next
    },
    restore() {
      spoiled = null
      change = unchanged
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
