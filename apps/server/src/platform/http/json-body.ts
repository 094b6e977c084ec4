import { isUtf8 } from 'node:buffer'
import type { FastifyBodyParser, FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { repeatsName } from './json-names.ts'

/** Reads bodies of JSON. An error contains the position of the fault, and nothing of the body. */
export function acceptJson(app: FastifyInstance): void {
  // A form of another site could send any body as text/plain without a preflight request.
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error') as FastifyBodyParser<string>
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && !/^identity$/i.test(encoding)) return done(compressed())
    // Clients of the specification send a JSON content type on every call, also without a body.
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body as Buffer)) return done(unreadable('The body must be UTF-8'))
    const text = body.toString()
    void parse(request, text, (error, value) => {
      if (error) done(unreadable(describeError(text)))
      else if (repeatsName(text, value)) done(unreadable('An object of the body has one name twice'))
      else done(null, value)
    })
  })
}

const unreadable = (detail: string): AppError => new AppError('malformed_request', { detail })

const compressed = (): AppError =>
  new AppError('unsupported_media_type', {
    detail: 'The body must not be compressed: send application/json without Content-Encoding',
  })

function describeError(text: string): string {
  const at = errorPosition(text)
  if (at === null) return 'The body must not contain the names "__proto__" and "constructor.prototype"'
  if (at >= text.length) return 'The body is not valid JSON: it ends too early'
  const before = text.slice(0, at).split(/\r\n|[\r\n]/)
  return `The body is not valid JSON: line ${before.length}, column ${(before.at(-1) as string).length + 1}`
}

/** The tokens of JSON; the strings are those without control characters. */
const token =
  /[{}[\],:]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const space = /[ \t\n\r]*/y

/** The tokens that may follow, by the place in the text. */
type Place = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd'

/** The position of the first token at which a text is not JSON: its length when it ends too early, and null when it is JSON. */
export function errorPosition(text: string): number | null {
  const open: ('{' | '[')[] = []
  let place: Place = 'value'
  let at = text.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    space.lastIndex = at
    at += space.exec(text)?.[0].length ?? 0
    const isDone: boolean = open.length === 0 && place === 'commaOrEnd'
    if (at === text.length) return isDone ? null : at
    if (isDone) return at
    token.lastIndex = at
    const found = token.exec(text)?.[0]
    if (found === undefined) return isCutOff(text, at) ? text.length : at
    const next = after(found, place, open)
    if (next === null) return at
    place = next
    at += found.length
  }
}

/** Whether the text ends within a token, which it would complete. */
const isCutOff = (text: string, at: number): boolean =>
  /^(?:"(?:[ !#-[\]-\uffff]|\\[ -\uffff])*\\?|t(?:r(?:u)?)?|f(?:a(?:l(?:s)?)?)?|n(?:u(?:l)?)?|-|-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?)?)$/.test(
    text.slice(at),
  )

/** The place after a token, or null when the token may not stand at its place. */
function after(found: string, place: Place, open: ('{' | '[')[]): Place | null {
  const isEnd = place === 'commaOrEnd' || place === 'nameOrEnd' || place === 'valueOrEnd'
  switch (found) {
    case '}':
    case ']':
      return isEnd && open.pop() === (found === '}' ? '{' : '[') ? 'commaOrEnd' : null
    case ',':
      if (place !== 'commaOrEnd') return null
      return open.at(-1) === '{' ? 'name' : 'value'
    case ':':
      return place === 'colon' ? 'value' : null
    default:
      if (place === 'name' || place === 'nameOrEnd') return found.startsWith('"') ? 'colon' : null
      if (place !== 'value' && place !== 'valueOrEnd') return null
      if (found !== '{' && found !== '[') return 'commaOrEnd'
      open.push(found)
      return found === '{' ? 'nameOrEnd' : 'valueOrEnd'
  }
}
