import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

interface LenientRequest {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/**
 * Sends a request over a connection of its own, and accepts an answer whose header lines end without a carriage return. undici refuses such
 * an answer. The connection is used once, so that no part of an answer can pass for the answer to another request.
 */
export const lenientRequest =
  (maxBytes: number) =>
  async ({ origin, path, method, headers, body, signal }: LenientRequest) => {
    const send = origin.startsWith('https:') ? httpsRequest : httpRequest
    const options = { method, headers, signal, agent: false, insecureHTTPParser: true }
    try {
      const request = send(new URL(origin + path), options)
      const answered = once(request, 'response') as Promise<[IncomingMessage]>
      // A failure after the response is an error of the response; on the request it would end the process.
      request.on('error', () => undefined)
      request.end(body)
      const [response] = await answered
      return {
        statusCode: response.statusCode ?? 0,
        headers: response.headers,
        body: {
          text: () => textOf(response, maxBytes, signal),
          dump: async () => void response.destroy(),
        },
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    }
  }

async function textOf(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new Error('the answer is too long')
      chunks.push(chunk)
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
  return Buffer.concat(chunks).toString('utf8')
}
