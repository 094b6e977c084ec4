import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { bareHost, TargetRefused, type Targets } from './targets.ts'

const CONNECT_TIMEOUT_MS = 5000
const READ_MAX_BYTES = 65_536

export type CallError =
  | 'timed_out'
  | 'not_found'
  | 'address_refused'
  | 'connection_failed'
  | 'certificate_invalid'

export type CallResult =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** The first READ_MAX_BYTES of the body; the rest is not read. */
      readonly body: Buffer
      readonly isCut: boolean
    }
  | { readonly error: CallError }

/** Calls addresses that merchants configure. Each connection goes to a checked address only. */
export interface Outbound {
  readonly targets: Targets
  /** Sends the request once; a redirect is a response like any other. It never throws. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<CallResult>
  close(): Promise<void>
}

export function createOutbound(
  targets: Targets,
  { timeoutMs, ca }: { readonly timeoutMs: number; readonly ca?: string },
): Outbound {
  const agent = new Agent({
    connect: guarded(targets, ca),
    // The caller limits the requests to a slow endpoint, so sockets are not limited.
    pipelining: 1,
    keepAliveTimeout: 4000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
  })

  return {
    targets,
    async post(url, headers, body) {
      const target = new URL(url)
      if (targets.errorOf(target) !== null) return { error: 'address_refused' }
      const abort = new AbortController()
      const timer = setTimeout(() => abort.abort(new TimedOut()), timeoutMs)
      try {
        const response = await agent.request({
          origin: target.origin,
          path: target.pathname + target.search,
          method: 'POST',
          headers,
          body,
          signal: abort.signal,
        })
        const read = await readUpTo(response.body, READ_MAX_BYTES)
        return { status: response.statusCode, headers: flat(response.headers), ...read }
      } catch (error) {
        return { error: errorOf(error) }
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => agent.destroy(),
  }
}

class TimedOut extends Error {}

/** The connection goes to the checked addresses of the name: the name is not resolved a second time. */
function guarded(targets: Targets, ca: string | undefined): buildConnector.connector {
  const lookup: LookupFunction = (host, { all, family }, callback) => {
    targets.addressesOf(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const usable = found.filter((each) => !family || each.family === family)
        const [first] = usable
        if (all) callback(null, usable)
        else if (first) callback(null, first.address, first.family)
        else callback(new TargetRefused('not_found', 'No address of this kind'), '')
      },
      (error: Error) => callback(error, ''),
    )
  }
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup, ...(ca === undefined ? {} : { ca }) })

  return (options, callback) => {
    const host = bareHost(options.hostname)
    // An address in the URL needs no look-up.
    if (isIP(host) && !targets.mayConnect(host)) return callback(notPublic(), null)
    connect(options, (...result) => {
      const [error, socket] = result
      if (error) return callback(error, null)
      if (!(socket?.remoteAddress && targets.mayConnect(socket.remoteAddress))) {
        socket?.destroy()
        return callback(notPublic(), null)
      }
      callback(null, socket)
    })
  }
}

const notPublic = () => new TargetRefused('address_refused', 'This host is not on the public network')

async function readUpTo(
  body: Dispatcher.ResponseData['body'],
  mostBytes: number,
): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > mostBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, mostBytes), isCut: size > mostBytes }
}

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

const timeOuts = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

function errorOf(error: unknown): CallError {
  if (error instanceof TargetRefused) return error.code
  const code = (error as { code?: string }).code ?? ''
  if (error instanceof TimedOut || timeOuts.has(code)) return 'timed_out'
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/.test(code)
    ? 'certificate_invalid'
    : 'connection_failed'
}
