import { type Agent, request } from 'node:http'

interface Call {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a call over a connection of the agent. @returns the status and text of the response */
export function send(
  agent: Agent,
  port: number,
  { path, method, headers, body = '' }: Call,
): Promise<[status: number, text: string]> {
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: '127.0.0.1', port, path, method, headers: { ...headers, ...length } },
      (response) => {
        let text = ''
        // Events take less processor time than an iterator, and the bench runs on the measured machine.
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve([response.statusCode ?? 0, text]))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** @returns the text of the response. @throws for another status */
export async function sendExpecting(
  status: number,
  ...[agent, port, call]: Parameters<typeof send>
): Promise<string> {
  const [answered, text] = await send(agent, port, call)
  if (answered !== status)
    throw new Error(`${call.path} was answered with ${answered}: ${text.slice(0, 500)}`)
  return text
}
