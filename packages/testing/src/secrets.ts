/** Fields of a JSON body with these names contain secrets of sender and receiver. */
const confidential = new Set([
  'password',
  'newPassword',
  'currentPassword',
  'authToken',
  'refreshToken',
  'applicationKey',
  'newApplicationKey',
  'payment_url',
  'identificationDocumentPdf',
  'secret',
])

/** Shorter ones are found in any text; and passwords that tests type to have them refused are words. */
const SHORTEST = 6
const MIN_SECRET_LENGTH = 12

/** Collects secrets and finds them in logs. */
export class Secrets {
  readonly #names = new Map<string, string>()

  get size(): number {
    return this.#names.size
  }

  add(name: string, value: string): void {
    if (value.length < SHORTEST) throw new Error(`no ${name} to look for`)
    this.#names.set(value, name)
  }

  /** Takes them out of the body of a call or its answer. */
  gather(body: unknown): void {
    if (typeof body !== 'object' || body === null) return
    for (const [name, value] of Object.entries(body)) {
      if (typeof value !== 'string' || !confidential.has(name)) this.gather(value)
      // Of an address the last part alone is secret.
      else this.#addValue(name, URL.canParse(value) ? (value.split('/').at(-1) ?? '') : value)
    }
  }

  #addValue(name: string, value: string): void {
    if (value.length >= MIN_SECRET_LENGTH) this.add(name, value)
  }

  /** The names of those that a text holds, in whatever spelling. */
  foundIn(text: string): string[] {
    return [...new Set([...this.#placesIn(text)].map(({ name }) => name))].sort()
  }

  /** The lines of a text that hold one. */
  linesIn(text: string): string[] {
    const lineAt = (at: number) => {
      const end = text.indexOf('\n', at)
      return text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end)
    }
    return [...new Set([...this.#placesIn(text)].map(({ name, at }) => `${name}: ${lineAt(at)}`))]
  }

  *#placesIn(text: string): Generator<{ readonly name: string; readonly at: number }> {
    const sought = new Map<string, { spelling: string; value: string }[]>()
    for (const value of this.#names.keys()) {
      for (const spelling of spellings(value)) {
        const start = spelling.slice(0, SHORTEST)
        sought.set(start, [...(sought.get(start) ?? []), { spelling, value }])
      }
    }
    // Once through a text that is long, for secrets that are many.
    for (let at = 0; at <= text.length - SHORTEST; at += 1) {
      for (const { spelling, value } of sought.get(text.slice(at, at + SHORTEST)) ?? []) {
        if (text.startsWith(spelling, at) && !isPartOfNumber(text, at, spelling))
          yield { name: this.#names.get(value) ?? '', at }
      }
    }
  }
}

/** The forms of a secret: plain, escaped for JSON and for addresses, in hexadecimal and in base64. */
const spellings = (value: string): Set<string> =>
  new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ])

/** Six digits in a longer number, in an id or behind a decimal point are no code. */
const isPartOfNumber = (text: string, at: number, spelling: string): boolean =>
  /^\d+$/.test(spelling) &&
  (/[\w.]$/.test(text.slice(Math.max(0, at - 1), at)) || /^\w/.test(text.slice(at + spelling.length)))
