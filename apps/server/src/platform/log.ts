import pino, { type DestinationStream, type Logger } from 'pino'

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
  // The multipart parser tells what it was given, with every header.
  'busboyOptions',
]

/** What is told of an error. A database error carries the row that it refused besides, and with it whatever that holds. */
const told = [
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
  return Object.fromEntries(told.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
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
      redact: { paths: secretPaths, censor: '[hidden]' },
    },
    out,
  )
}
