import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '../config.ts'

/** Browser features that no page of ours uses, so that no injected script can use them. */
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

/** The headers of every response. */
export const headersOfAll = (config: Config): Record<string, string> => ({
  ...fromHelmet(config),
  'permissions-policy': permissionsPolicy,
})

/** Pages relax these headers where necessary. */
export function secureHeaders(app: FastifyInstance, config: Config): void {
  const headers = headersOfAll(config)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** The headers are the same for every response, so they are computed once. */
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
      // `default-src` does not cover the last three directives.
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
    // These headers are for outdated browsers.
    xDownloadOptions: false,
    xXssProtection: false,
  })({} as never, answer as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}
