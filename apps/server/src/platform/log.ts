import pino, { type DestinationStream, type Logger } from 'pino'
import { requestIds } from './request-scope.ts'

export type Log = Logger

/** Names under which a secret could be logged by mistake; their values are never logged. */
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
  // The multipart parser adds its options, which contain every header, to an error.
  'busboyOptions',
]

/** The logged fields of an error. A database error also contains the refused row, which is not logged. */
const loggedFields = [
  'type',
  'message',
  'stack',
  'code',
  'severity',
  'constraint',
  'table',
  'column',
  'statusCode',
] as const

function describeError(error: Error): object {
  const all = pino.stdSerializers.err(error) as unknown as Record<string, unknown>
  return Object.fromEntries(
    loggedFields.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  )
}

export function createLog(
  level: string,
  out: DestinationStream = pino.destination({ dest: 1, sync: false }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      // A line that is written during a request names it.
      mixin: requestIds,
      redact: { paths: secretPaths, censor: '[hidden]' },
    },
    out,
  )
}
