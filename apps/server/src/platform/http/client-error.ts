import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@muripo/contract/errors'
import { AppError, toProblem } from '../errors.ts'
import type { Log } from '../log.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}

/** Answers a request that Node's parser refuses: it reaches no hook and no route. Nothing after it on the connection can be parsed. */
export function handleClientError(
  { code }: { readonly code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
  log: Log,
): void {
  if (code === 'ECONNRESET' || !socket.writable || isBeingAnswered(socket)) {
    socket.destroy()
    return
  }
  const error = new AppError(codes[code ?? ''] ?? 'malformed_request')
  const requestId = randomUUID()
  // The error itself is not logged, because it contains the received bytes.
  log.debug({ requestId, reason: code }, 'request could not be read')
  const body = JSON.stringify(toProblem(error, requestId))
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

/**
 * Whether part of the response to an earlier request has been sent: a further response would be in the middle of it. Node makes the same
 * check.
 */
const isBeingAnswered = (socket: Socket & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true
