import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** The longest query string in bytes, and its most names. Each name costs time before any limit of its address is counted. */
const QUERY_MAX_BYTES = 2048
const QUERY_MAX_NAMES = 50

function isQueryTooLong(url: string): boolean {
  const start = url.indexOf('?')
  if (start === -1) return false
  if (url.length - start - 1 > QUERY_MAX_BYTES) return true
  let names = 1
  for (let at = url.indexOf('&', start); at !== -1; at = url.indexOf('&', at + 1)) names += 1
  return names > QUERY_MAX_NAMES
}

/** The address that the server parses: a query that the hook refuses is left out. */
export function withoutLongQuery({ url = '' }: { readonly url?: string | undefined }): string {
  return isQueryTooLong(url) ? url.slice(0, url.indexOf('?')) : url
}

/** Whether a request names its host twice: a proxy and this server could read different ones (RFC 9112, section 3.2). */
function hasTwoHosts({ raw }: FastifyRequest): boolean {
  let hosts = 0
  const { rawHeaders } = raw
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Nearly every request names the host of the one before it. */
let lastHost = ''

/** A URL without a path, of a host and a port. */
function isHost(host: string): boolean {
  if (host === lastHost) return true
  const isReadable = /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`)
  if (isReadable) lastHost = host
  return isReadable
}

/** An empty segment of the path matches a parameter of a route. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  const values = params as Readonly<Record<string, string>> | undefined
  for (const name in values) if (name !== '*' && values[name] === '') return true
  return false
}

/**
 * Refuses what no client of ours sends, before anything else of the request is read.
 * @param headers of every response
 */
export function refuseHostileRequestLines(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const error = errorOf(request)
    if (error === null) return done()
    reply.headers(headers)
    // A proxy and this server may disagree about what follows on the connection.
    if (error.code === 'malformed_request') reply.header('connection', 'close')
    done(error)
  })
}

function errorOf(request: FastifyRequest): AppError | null {
  if (isQueryTooLong(request.originalUrl)) return new AppError('query_too_long')
  if (hasEmptyParameter(request)) return new AppError('not_found')
  if (hasTwoHosts(request))
    return new AppError('malformed_request', { detail: 'The request has two Host headers' })
  const isReadable = request.host === '' || isHost(request.host)
  return isReadable ? null : new AppError('malformed_request', { detail: 'The Host header is not a host' })
}
