import { inflateSync } from 'node:zlib'
import { beginsAsPdf } from './head.ts'
import { type Allowance, type Entry, nameAt, Unreadable, type Value, ValueReader } from './values.ts'

/** The reason to refuse a document. */
export type PdfRejection = 'not_a_pdf' | 'pdf_encrypted' | 'pdf_active' | 'pdf_unreadable'

/** Names that only documents contain that run actions, carry other files or fetch them. */
const activeNames = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'Rendition',
  'RichMedia',
  'Movie',
  'Sound',
  'OnInstantiate',
  'EmbeddedFile',
  'EmbeddedFiles',
  'FileAttachment',
  'FFilter',
])
/** Too short to search for in the bytes of a picture, which contain them by chance. */
const activeKeys = new Set(['JS', 'AA', 'XFA', 'FS'])

/** The limit of inflated bytes of a whole document. Pictures are not inflated. */
const UNPACKED_BYTES = 64 * 1024 * 1024
/** The limit of one stream: its pieces and their concatenation are in memory at the same time. */
const STREAM_BYTES = 32 * 1024 * 1024
/** An object may hold the beginning of another, so that bytes are read more than once. */
const READINGS = 4
const LONGEST_LOOK_BACK = 64

interface Stream {
  readonly entries: readonly Entry[]
  /** Where its data begins; null when programs differ about that. */
  readonly start: number | null
}

/** The findings so far. */
interface Sight {
  readonly reading: Allowance
  readonly unpacking: Allowance
  /** Whether every object of a number is only a destination within the document. */
  readonly places: Map<number, boolean>
  readonly openActions: Value[]
  readonly rejections: Set<PdfRejection>
  catalogs: number
  pages: number
}

/**
 * The reason to refuse a document, or null. Programs differ in the objects that they find: one follows the table, another repairs it,
 * and an update leaves the replaced objects in the file. The inspection follows nothing and reads every object that any program could read.
 */
export function inspectPdf(bytes: Buffer): PdfRejection | null {
  if (beginsAsPdf(bytes) !== true) return 'not_a_pdf'
  const sight: Sight = {
    reading: { bytes: READINGS * bytes.length + UNPACKED_BYTES },
    unpacking: { bytes: UNPACKED_BYTES },
    places: new Map(),
    openActions: [],
    rejections: new Set(),
    catalogs: 0,
    pages: 0,
  }
  try {
    inspectStructure(bytes, sight)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    sight.rejections.add('pdf_unreadable')
  }
  if (!sight.openActions.every((value) => isPlace(value, sight.places))) sight.rejections.add('pdf_active')
  for (const rejection of ['pdf_encrypted', 'pdf_active', 'pdf_unreadable'] as const) {
    if (sight.rejections.has(rejection)) return rejection
  }
  return sight.catalogs > 0 && sight.pages > 0 ? null : 'not_a_pdf'
}

function inspectStructure(bytes: Buffer, sight: Sight): void {
  const understood = new Set<number>()
  // Names first: an encrypted or active document is reported as such, even where the rest is unreadable.
  const opening = inspectNames(bytes, sight)
  for (const stream of inspectObjects(bytes, sight, understood))
    inspectStream(bytes, stream, sight, understood)
  refuseMissed(opening, understood, sight)
}

function refuseMissed(opening: readonly number[], understood: ReadonlySet<number>, sight: Sight): void {
  if (opening.some((at) => !understood.has(at))) sight.rejections.add('pdf_active')
}

/** Positions of names that must also occur as keys: the values of keys were checked. */
function inspectNames(bytes: Buffer, sight: Sight): number[] {
  const opening: number[] = []
  for (let at = bytes.indexOf('/'); at >= 0; at = bytes.indexOf('/', at + 1)) {
    const name = nameAt(bytes, at)
    if (activeNames.has(name)) sight.rejections.add('pdf_active')
    if (name === 'Encrypt') sight.rejections.add('pdf_encrypted')
    if (name === 'OpenAction') opening.push(at)
  }
  return opening
}

/** Objects begin at every `obj`, within other objects too. Returns the streams that follow them. */
function inspectObjects(bytes: Buffer, sight: Sight, understood: Set<number>): Stream[] {
  const streams: Stream[] = []
  for (let at = bytes.indexOf('obj'); at >= 0; at = bytes.indexOf('obj', at + 3)) {
    if (bytes.toString('latin1', Math.max(0, at - 3), at) === 'end') continue
    const number = numberBefore(bytes, at)
    const reader = new ValueReader(bytes, at + 3, sight.reading)
    reader.skipRestOfWord()
    // Pictures contain the three letters by chance.
    if (number === null && !reader.isAtDictionary()) continue
    const object = reader.read()
    inspectObject(object, number, sight, understood)
    if (object.kind !== 'dictionary' || !reader.passes('stream')) continue
    // Data that is elsewhere would be fetched.
    if (object.entries.some(({ key }) => key === 'F')) sight.rejections.add('pdf_active')
    streams.push({ entries: object.entries, start: dataStart(bytes, reader.at) })
  }
  return streams
}

function numberBefore(bytes: Buffer, at: number): number | null {
  const before = bytes.toString('latin1', Math.max(0, at - LONGEST_LOOK_BACK), at)
  const number = /(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]*$/.exec(before)?.[1]
  return number === undefined ? null : Number(number)
}

/** The keyword ends its line, and the data begins with the next one. */
function dataStart(bytes: Buffer, at: number): number | null {
  const end = bytes.toString('latin1', at, at + 2)
  if (end === '\r\n') return at + 2
  return end[0] === '\n' ? at + 1 : null
}

function inspectObject(object: Value, number: number | null, sight: Sight, understood: Set<number>): void {
  if (number !== null) {
    sight.places.set(number, sight.places.get(number) !== false && isPlace(object, null))
  }
  inspectValue(object, sight, understood)
}

function inspectValue(value: Value, sight: Sight, understood: Set<number>): void {
  if (value.kind === 'array') for (const item of value.items) inspectValue(item, sight, understood)
  if (value.kind !== 'dictionary') return
  for (const { key, at, value: held } of value.entries) {
    if (activeKeys.has(key)) sight.rejections.add('pdf_active')
    if (key === 'Type' && isName(held, 'Catalog')) sight.catalogs += 1
    if (key === 'Type' && isName(held, 'Page')) sight.pages += 1
    if (key === 'OpenAction') {
      understood.add(at)
      sight.openActions.push(held)
    }
    inspectValue(held, sight, understood)
  }
}

/** Values that only name the place at which a document opens: a page and its view, or the plain action of going there. */
function isPlace(value: Value, places: ReadonlyMap<number, boolean> | null): boolean {
  switch (value.kind) {
    case 'reference':
      return places?.get(value.object) === true
    case 'dictionary': {
      const kinds = value.entries.filter(({ key }) => key === 'S')
      return (
        kinds.length > 0 &&
        kinds.every(({ value: kind }) => isName(kind, 'GoTo')) &&
        !value.entries.some(({ key }) => key === 'Next')
      )
    }
    case 'array':
      return !value.items.some(({ kind }) => kind === 'dictionary')
    case 'other':
      return true
    default:
      return false
  }
}

/** A stream is inspected as well, because it may contain objects. */
function inspectStream(bytes: Buffer, stream: Stream, sight: Sight, understood: Set<number>): void {
  const { entries, start } = stream
  if (entries.some(({ key, value }) => key === 'First' || (key === 'Type' && isName(value, 'ObjStm')))) {
    inspectPacked(bytes, stream, sight, understood)
  } else if (
    start !== null &&
    entries.some(({ key, value }) => key === 'Filter' && mayBeFlate(value)) &&
    !entries.some(({ key, value }) => key === 'Subtype' && isName(value, 'Image'))
  ) {
    refuseMissed(inspectNames(unpacked(bytes, start, sight), sight), new Set(), sight)
  }
}

/** Every writer packs objects in one of two ways; another can only be meant to hide them. */
function inspectPacked(
  bytes: Buffer,
  { entries, start }: Stream,
  sight: Sight,
  understood: Set<number>,
): void {
  const filters = entries.filter(({ key }) => key === 'Filter').map(({ value }) => value)
  if (start === null || entries.some(({ key }) => key === 'DecodeParms')) {
    throw new Unreadable('objects packed in an unusual way')
  }
  if (filters.length === 0) {
    inspectTable(bytes, start, entries, sight, understood)
    return
  }
  if (!filters.every(isFlate)) throw new Unreadable('objects packed in an unusual way')
  const content = unpacked(bytes, start, sight)
  const opening = inspectNames(content, sight)
  const understoodHere = new Set<number>()
  inspectTable(content, 0, entries, sight, understoodHere)
  refuseMissed(opening, understoodHere, sight)
}

/** Pairs of the number of an object and its place, then the objects. */
function inspectTable(
  content: Buffer,
  start: number,
  entries: readonly Entry[],
  sight: Sight,
  understood: Set<number>,
): void {
  const first = start + numberIn(entries, 'First')
  const table = new ValueReader(content, start, sight.reading)
  for (let left = numberIn(entries, 'N'); left > 0; left -= 1) {
    const [number, place] = [table.read(), table.read()]
    if (number.kind !== 'number' || place.kind !== 'number') throw new Unreadable('no table of objects')
    const at = first + place.value
    if (!Number.isInteger(at) || at < start || at >= content.length) throw new Unreadable('no object there')
    inspectObject(new ValueReader(content, at, sight.reading).read(), number.value, sight, understood)
  }
}

const isFlate = (value: Value): boolean =>
  value.kind === 'array'
    ? value.items.length === 1 && value.items.every((item) => isName(item, 'FlateDecode'))
    : isName(value, 'FlateDecode')
/** A reference may name any filter, and only the first filter of a list reads the bytes of the document. */
const mayBeFlate = (value: Value): boolean => {
  const first = value.kind === 'array' ? value.items[0] : value
  return first?.kind === 'reference' || (first !== undefined && isName(first, 'FlateDecode'))
}
const isName = (value: Value, text: string): boolean => value.kind === 'name' && value.text === text

function numberIn(entries: readonly Entry[], name: string): number {
  const [entry, ...more] = entries.filter(({ key }) => key === name)
  if (entry?.value.kind !== 'number' || more.length > 0) throw new Unreadable(`no one ${name}`)
  return entry.value.value
}

/**
 * The inflated data of a stream. Programs that ignore a wrong checksum read a stream that fails here, and a failed stream does not
 * report how much it produced: the first failure therefore refuses the whole document, so that the limit of a document holds.
 */
function unpacked(bytes: Buffer, start: number, sight: Sight): Buffer {
  if (isEmptyStream(bytes, start)) return Buffer.alloc(0)
  const maxOutputLength = Math.min(sight.unpacking.bytes, STREAM_BYTES)
  if (maxOutputLength <= 0) throw new Unreadable('inflates to too much')
  try {
    const content = inflateSync(bytes.subarray(start), { maxOutputLength })
    sight.unpacking.bytes -= content.length
    return content
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Unreadable(code === 'ERR_BUFFER_TOO_LARGE' ? 'inflates to too much' : 'does not inflate')
  }
}

/** Some writers declare a filter for a stream without data. */
const isEmptyStream = (bytes: Buffer, start: number): boolean =>
  /^\s*endstream/.test(bytes.toString('latin1', start, start + LONGEST_LOOK_BACK))
