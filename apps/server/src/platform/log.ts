import pino, { type Logger } from 'pino'

export type Log = Logger

/** Names under which a secret could be logged by mistake; their values never leave. */
const secretPaths = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  '*.password',
  '*.otp',
  '*.authToken',
  '*.refreshToken',
  '*.applicationKey',
  '*.merchantPin',
]

export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretPaths, censor: '[hidden]' },
    },
    pino.destination({ dest: 1, sync: false }),
  )
}
