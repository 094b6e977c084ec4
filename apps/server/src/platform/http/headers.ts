import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '../config.ts'

/** What a page of ours never asks a browser for, so that nothing that slips into one can. */
const permissionsPolicy = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** What every answer carries, whoever gives it. */
export const headersOfAll = (config: Config): Record<string, string> => ({
  ...fromHelmet(config),
  'permissions-policy': permissionsPolicy,
})

/** Pages loosen of it what they must. */
export function secureHeaders(app: FastifyInstance, config: Config): void {
  const headers = headersOfAll(config)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** They are the same for every answer, so the library is asked once; asking it each time took an eighth of a payment's creation. */
function fromHelmet(config: Config): Record<string, string> {
  const headers: Record<string, string> = {}
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => undefined,
  }
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      // The last three are not covered by the first.
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity:
      config.mode === 'production' ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // These spoke to browsers that are gone.
    xDownloadOptions: false,
    xXssProtection: false,
  })({} as never, answer as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}
