/** A value of a PDF, as far as the inspection needs it. */
export type Value =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'reference'; readonly object: number }
  | { readonly kind: 'array'; readonly items: readonly Value[] }
  | { readonly kind: 'dictionary'; readonly entries: readonly Entry[] }
  | { readonly kind: 'other' }

/** A key may occur twice, and programs differ in the one that they use: all are kept. */
export interface Entry {
  readonly key: string
  /** Position of the key. */
  readonly at: number
  readonly value: Value
}

/** The inspection refuses a document that it cannot read. */
export class Unreadable extends Error {}

/** The limit of bytes that are read, so that the inspection of a file with nested parts ends. */
export interface Allowance {
  bytes: number
}

const DEEPEST = 100
const other: Value = { kind: 'other' }

const classOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
const isSpace = classOf('\0\t\n\f\r ')
const isDelimiter = classOf('()<>[]{}/%')
const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && !isSpace[byte] && !isDelimiter[byte]

const code = (character: string): number => character.charCodeAt(0)
const [OPEN, CLOSE, ESCAPE, LESS, GREATER] = [code('('), code(')'), code('\\'), code('<'), code('>')]
const [SLASH, ARRAY, ARRAY_END, COMMENT] = [code('/'), code('['), code(']'), code('%')]
const [CR, LF] = [13, 10]

/** The name that begins at a slash, with `#` escapes decoded: /J#53 is /JS. */
export function nameAt(bytes: Buffer, slash: number): string {
  let end = slash + 1
  while (isRegular(bytes[end])) end += 1
  const written = bytes.toString('latin1', slash + 1, end)
  return written.includes('#')
    ? written.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : written
}

/** Reads one value after the other, as tolerant as the programs that show PDFs. */
export class ValueReader {
  at: number
  readonly #bytes: Buffer
  readonly #allowance: Allowance

  constructor(bytes: Buffer, at: number, allowance: Allowance) {
    this.#bytes = bytes
    this.at = at
    this.#allowance = allowance
  }

  read(depth = 0): Value {
    if (depth > DEEPEST) throw new Unreadable('nested too deep')
    this.#skipSpace()
    const byte = this.#bytes[this.at]
    switch (byte) {
      case undefined:
        throw new Unreadable('ends within a value')
      case SLASH:
        return { kind: 'name', text: this.#name() }
      case OPEN:
        return this.#string()
      case ARRAY:
        return this.#array(depth)
      case LESS:
        return this.#bytes[this.at + 1] === LESS ? this.#dictionary(depth) : this.#hexString()
      default:
        return isRegular(byte) ? this.#word() : this.#stray()
    }
  }

  /** Some programs ignore characters that directly follow a keyword. */
  skipRestOfWord(): void {
    this.#regular()
  }

  isAtDictionary(): boolean {
    this.#skipSpace()
    return this.#bytes[this.at] === LESS && this.#bytes[this.at + 1] === LESS
  }

  /** Whether this word comes next; if so, the reader moves behind it. */
  passes(word: string): boolean {
    this.#skipSpace()
    const end = this.at + word.length
    if (this.#bytes.toString('latin1', this.at, end) !== word) return false
    this.#move(end)
    return true
  }

  #move(to: number): void {
    this.#allowance.bytes -= to - this.at
    if (this.#allowance.bytes < 0) throw new Unreadable('holds too much')
    this.at = to
  }

  #skipSpace(): void {
    let at = this.at
    for (;;) {
      const byte = this.#bytes[at]
      if (byte === COMMENT) {
        while (at < this.#bytes.length && this.#bytes[at] !== CR && this.#bytes[at] !== LF) at += 1
      } else if (byte !== undefined && isSpace[byte]) at += 1
      else break
    }
    this.#move(at)
  }

  #name(): string {
    const start = this.at
    let end = start + 1
    while (isRegular(this.#bytes[end])) end += 1
    this.#move(end)
    return nameAt(this.#bytes, start)
  }

  #string(): Value {
    let open = 0
    let at = this.at
    do {
      const byte = this.#bytes[at]
      if (byte === undefined) throw new Unreadable('ends within a string')
      if (byte === OPEN) open += 1
      if (byte === CLOSE) open -= 1
      at += byte === ESCAPE ? 2 : 1
    } while (open > 0)
    this.#move(at)
    return other
  }

  #hexString(): Value {
    const end = this.#bytes.indexOf(GREATER, this.at)
    if (end < 0) throw new Unreadable('ends within a string')
    this.#move(end + 1)
    return other
  }

  #array(depth: number): Value {
    const items: Value[] = []
    this.#move(this.at + 1)
    for (;;) {
      this.#skipSpace()
      if (this.#bytes[this.at] === ARRAY_END) break
      items.push(this.read(depth + 1))
    }
    this.#move(this.at + 1)
    return { kind: 'array', items }
  }

  #dictionary(depth: number): Value {
    const entries: Entry[] = []
    this.#move(this.at + 2)
    for (;;) {
      this.#skipSpace()
      if (this.#ends()) break
      const at = this.at
      if (this.#bytes[at] !== SLASH) {
        this.read(depth + 1)
        continue
      }
      const key = this.#name()
      this.#skipSpace()
      entries.push({ key, at, value: this.#ends() ? other : this.read(depth + 1) })
    }
    this.#move(this.at + 2)
    return { kind: 'dictionary', entries }
  }

  #ends(): boolean {
    return this.#bytes[this.at] === GREATER && this.#bytes[this.at + 1] === GREATER
  }

  #word(): Value {
    const word = this.#regular()
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) return other
    const after = this.at
    // The letter R after two numbers makes a reference.
    if (/^\d+$/.test(word)) {
      this.#skipSpace()
      if (/^\d+$/.test(this.#regular())) {
        this.#skipSpace()
        if (this.#regular() === 'R') return { kind: 'reference', object: Number(word) }
      }
      this.at = after
    }
    return { kind: 'number', value: Number(word) }
  }

  #regular(): string {
    const start = this.at
    let end = start
    while (isRegular(this.#bytes[end])) end += 1
    this.#move(end)
    return this.#bytes.toString('latin1', start, end)
  }

  #stray(): Value {
    this.#move(this.at + 1)
    return other
  }
}
