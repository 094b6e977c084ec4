import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { observers } from '@muripo/rig/call'
import { Secrets } from '@muripo/testing/secrets'
import type { BrowserContext, Request, Response } from '@playwright/test'

/** The secrets that the gateway of this worker has exchanged with its callers. */
export const secrets = new Secrets()
observers.add((body) => secrets.gather(body))

/** Collects secrets from the calls of a browser. */
export function collectSecrets(context: BrowserContext): void {
  context.on('request', (request) => {
    const bearer = /^Bearer (.+)/.exec(request.headers().authorization ?? '')?.[1]
    if (bearer !== undefined && bearer.length > 12) secrets.add('token', bearer)
    secrets.gather(sent(request))
  })
  context.on('response', (response) => {
    if (/\/v1\/(auth|account|applications)\b/.test(response.url())) void collectFromResponse(response)
  })
}

/** Collects the device's secret from the cookies of a browser. */
export async function collectDeviceSecrets(context: BrowserContext): Promise<void> {
  for (const { name, value } of await context.cookies()) {
    if (name === 'muripo-device') secrets.add('device', value)
  }
}

function sent(request: Request): unknown {
  try {
    return request.postDataJSON()
  } catch {
    return null
  }
}

// The body of a response is gone after its page has navigated.
const collectFromResponse = async (response: Response): Promise<void> =>
  secrets.gather(await response.json().catch(() => null))

/** The gateway's output and its database's log. */
export function logsOf(
  dataDir: string,
  output: { readonly stdout: string; readonly stderr: string },
): string {
  const file = path.join(dataDir, 'postgres.log')
  // A process id looks like a code.
  const database = existsSync(file) ? readFileSync(file, 'utf8').replace(/\[\d+\]/g, '') : ''
  return [output.stdout, output.stderr, database].join('\n')
}
