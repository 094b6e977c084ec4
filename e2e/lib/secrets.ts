import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Secrets } from '@muripo/testing/secrets'
import type { BrowserContext, Request, Response } from '@playwright/test'

/** Secrets that this worker's gateway and its callers have exchanged. */
export const secrets = new Secrets()

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

/** And at its end for what the browser keeps. */
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

// A page that has moved on has taken the answer along.
const collectFromResponse = async (response: Response): Promise<void> =>
  secrets.gather(await response.json().catch(() => null))

/** The gateway's output and its database's log. */
export function logsOf(
  dataDir: string,
  output: { readonly stdout: string; readonly stderr: string },
): string {
  const file = path.join(dataDir, 'postgres.log')
  // Numbers of processes could be taken for codes.
  const database = existsSync(file) ? readFileSync(file, 'utf8').replace(/\[\d+\]/g, '') : ''
  return [output.stdout, output.stderr, database].join('\n')
}
