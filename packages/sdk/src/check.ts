/** The largest delay of a timer: Node replaces a longer one by a millisecond. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** The gateway accepts the same keys. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

type Entries = Readonly<Record<string, unknown>>

/** The name of a value's kind, for an error: a value itself may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : String(value)
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return 'an array'
  const name = value.constructor?.name
  return name && name !== 'Object' ? `a ${name}` : 'an object'
}

const isPlain = (value: unknown): value is Entries => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !isCollection(value) && !(value instanceof Date)
}

/** These objects have no JSON form: they would be sent as `{}`. */
const isCollection = (value: object): boolean =>
  [Map, Set, URLSearchParams, Promise].some((kind) => value instanceof kind)

/** The options of a call or of a client. An unknown name would be a setting that has no effect. */
export function checkOptions(options: unknown, names: readonly string[], owner: string): void {
  if (!isPlain(options)) {
    throw new TypeError(
      `The options of ${owner} are an object { ${names.join(', ')} }, not ${kindOf(options)}`,
    )
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`${owner} has no option ${unknown}. Its options are: ${names.join(', ')}`)
  }
}

export function checkTimeout(timeoutMs: unknown): number {
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 1 && timeoutMs <= MAX_TIMER_MS)) {
    throw new TypeError(
      `timeoutMs must be a number of milliseconds from 1 to ${MAX_TIMER_MS}, not ${kindOf(timeoutMs)}`,
    )
  }
  // A timer has no fractions, and AbortSignal.timeout refuses them.
  return Math.ceil(timeoutMs)
}

/** The key of an application. White space around it is that of a file or a form. */
export function checkKey(key: unknown): string {
  const text = typeof key === 'string' ? key.trim() : ''
  if (text === '') {
    throw new TypeError(`Muripo needs an application key, new Muripo(key), not ${kindOf(key)}`)
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError('An application key contains no spaces and only visible ASCII characters')
  }
  return text
}

/** The gateway's address, without `/api/v1`, which the client appends. There is no default: every gateway has its own operator. */
export function checkAddress(baseUrl: unknown): string {
  const text = String(baseUrl instanceof URL ? baseUrl.href : baseUrl).trim()
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null
  if (url === null) {
    throw new TypeError(
      "Muripo needs your gateway's address, such as https://pay.example.com: set MURIPO_URL or pass { baseUrl }",
    )
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('The address of a gateway has no user name, no query and no fragment')
  }
  return (url.origin + url.pathname).replace(/(\/+api\/+v1)?\/*$/, '')
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

export function checkIdempotencyKey(key: unknown): string {
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key
  const found = typeof key === 'string' && key !== '' ? 'another text' : kindOf(key)
  throw new TypeError(`idempotencyKey must be 1 to 255 visible ASCII characters without spaces, not ${found}`)
}

/** An id as a part of a path. Without this check an empty id would be the path of a list, and `..` that of another call. */
export function idSegment(id: unknown): string {
  if (typeof id !== 'string') throw new TypeError(`An id is a string, not ${kindOf(id)}`)
  const text = id.trim()
  if (text === '') throw new TypeError('An id must not be empty')
  if (/^\.{1,2}$/.test(text) || /[\ud800-\udfff]/u.test(text)) throw new TypeError('This is not an id')
  return encodeURIComponent(text)
}

export function checkParams(params: unknown): void {
  if (!isPlain(params)) throw new TypeError(`The parameters of a call are an object, not ${kindOf(params)}`)
}

/** The JSON of a call's parameters. A value that JSON cannot represent is an error with its path, and is never left out. */
export function toJson(params: unknown): string {
  checkParams(params)
  checkValue(params, '', [])
  return JSON.stringify(params)
}

function checkValue(value: unknown, path: string, parents: readonly object[]): void {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  const isValid = typeof value === 'object' && !isCollection(value) && !isInvalidDate(value)
  if (!isValid) throw new TypeError(`${path} must not be ${kindOf(value)}: JSON cannot represent it`)
  if (parents.includes(value)) throw new TypeError(`${path} must not contain itself`)
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return
  for (const [name, inner] of Object.entries(value)) {
    checkValue(inner, path === '' ? name : `${path}.${name}`, [...parents, value])
  }
}

const isInvalidDate = (value: unknown): boolean => value instanceof Date && Number.isNaN(value.getTime())

/** The query of a list. A filter that is null or undefined is absent. */
export function toQuery(params: unknown): string {
  checkParams(params)
  const pairs = Object.entries(params as Entries).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return []
    if (value instanceof Date && !isInvalidDate(value)) return [[name, value.toISOString()]]
    if (typeof value === 'string' || typeof value === 'boolean') return [[name, String(value)]]
    if (typeof value === 'number' && Number.isFinite(value)) return [[name, String(value)]]
    throw new TypeError(`${name} must not be ${kindOf(value)}: a filter is a text or a number`)
  })
  return new URLSearchParams(pairs).toString()
}
