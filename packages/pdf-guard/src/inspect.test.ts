import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { packed, packing, pdf, pdfOf, stream } from '@muripo/testing/pdf'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspectPdf } from './inspect.ts'

const script = '<< /S /JavaScript /JS (app.alert(1)) >>'

describe('is taken:', () => {
  test.each([
    ['a plain document', pdf()],
    ['a large one', pdfOf(3_000_000)],
    ['one that opens at a page', pdf({ catalog: '/OpenAction [3 0 R /Fit]' })],
    ['one that goes to a page', pdf({ catalog: '/OpenAction << /S /GoTo /D [3 0 R /XYZ 0 0 0] >>' })],
    [
      'one whose way there is an object of its own',
      pdf({ catalog: '/OpenAction 4 0 R', objects: ['4 0 obj\n<< /S /GoTo /D [3 0 R /Fit] >>\nendobj\n'] }),
    ],
    [
      'one whose objects are packed',
      pdf({
        objects: [
          packed(9, { 4: '<< /Type /Catalog /OpenAction 5 0 R >>', 5: '<< /S /GoTo /D [3 0 R /Fit] >>' }),
        ],
      }),
    ],
    [
      'one whose objects stand together and are not packed',
      pdf({ objects: [packed(9, { 4: '<< /Type /Catalog /OpenAction [3 0 R /Fit] >>' }, '')] }),
    ],
    [
      'one with links, which do nothing by themselves',
      pdf({
        catalog: '/OpenAction [3 0 R /Fit]',
        objects: ['4 0 obj\n<< /Type /Annot /A << /S /URI /URI (https://example.com) >> >>\nendobj\n'],
      }),
    ],
    [
      'one that speaks of scripts',
      pdf({ objects: ['4 0 obj\n<< /Title (JavaScript \\( and Launch) >>\nendobj\n'] }),
    ],
    [
      'one with a page of deflated text, and an empty stream',
      pdf({
        objects: [
          stream(4, '/Filter /FlateDecode', deflateSync('BT (a) Tj ET')),
          stream(5, '/Filter /FlateDecode', ''),
          stream(6, '/Filter [/ASCII85Decode /FlateDecode]', 'GhQ-~>'),
        ],
      }),
    ],
    [
      'short names in a picture',
      pdf({ objects: [stream(4, '/Subtype /Image', '\u0000/JS (/AA <</XFA 3 obj<4')] }),
    ],
  ])('%s', (_what, content) => {
    expect(inspectPdf(content)).toBeNull()
  })
})

test('the document that the README makes is taken', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const printing = readme.match(/^printf .*?(?= >+ id\.pdf$)/gm) ?? []
  const made = execFileSync('sh', ['-c', printing.join('\n')])
  expect(made.subarray(0, 5).toString()).toBe('%PDF-')
  expect(inspectPdf(made)).toBeNull()
})

describe('is refused as protected:', () => {
  test.each([
    ['a key in the trailer', pdf({ trailer: '/Encrypt 4 0 R' })],
    ['one in numbers', pdf({ trailer: '/Encr#79pt 4 0 R' })],
    ['one in the stream that is a table', pdf({ objects: [stream(9, '/Type /XRef /Encrypt 5 0 R', 'x')] })],
    ['whatever else it holds', pdf({ trailer: '/Encrypt 4 0 R', objects: [`4 0 obj ${script} endobj\n`] })],
  ])('%s', (_what, content) => {
    expect(inspectPdf(content)).toBe('pdf_encrypted')
  })
})

describe('is refused as unreadable:', () => {
  const { table, body } = packing({ 4: script })
  const packing4 = `/Type /ObjStm /N 1 /First ${table.length}`
  const hex = Buffer.from(deflateSync(table + body)).toString('hex')
  test.each([
    [
      'objects packed twice',
      pdf({ objects: [stream(9, `${packing4} /Filter [/ASCIIHexDecode /FlateDecode]`, `${hex}>`)] }),
    ],
    [
      'objects that are scrambled',
      pdf({
        objects: [
          stream(9, `${packing4} /Filter /FlateDecode /DecodeParms << /Predictor 12 >>`, deflateSync(body)),
        ],
      }),
    ],
    [
      'a filter that is elsewhere',
      pdf({ objects: [stream(9, `${packing4} /Filter 5 0 R`, deflateSync(table + body))] }),
    ],
    [
      'two filters',
      pdf({
        objects: [stream(9, `${packing4} /Filter /FlateDecode /Filter /LZWDecode`, deflateSync(table))],
      }),
    ],
    [
      'packed objects that are damaged',
      pdf({
        objects: [stream(9, `${packing4} /Filter /FlateDecode`, deflateSync(table + body).subarray(0, -6))],
      }),
    ],
    [
      'a count that is elsewhere',
      pdf({ objects: [stream(9, '/N 7 0 R /First 4 /Filter /FlateDecode', deflateSync('4 0 null'))] }),
    ],
    [
      'two tables',
      pdf({ objects: [stream(9, '/N 1 /First 4 /First 8 /Filter /FlateDecode', deflateSync('4 0 null'))] }),
    ],
    [
      'places outside',
      pdf({ objects: [stream(9, '/N 1 /First 6 /Filter /FlateDecode', deflateSync('4 999 null'))] }),
    ],
    ['data that begins on the line of its keyword', sameLine()],
    ['a dictionary without an end', Buffer.concat([pdf(), Buffer.from('4 0 obj << /A 1')])],
    ['a string without an end', Buffer.concat([pdf(), Buffer.from('4 0 obj (abc')])],
    ['lists in lists in lists', pdf({ objects: [`4 0 obj ${'['.repeat(500)}${']'.repeat(500)} endobj\n`] })],
    [
      'what unpacks to a thousand times as much',
      pdf({ objects: [stream(4, '/Filter /FlateDecode', deflateSync(Buffer.alloc(65 * 1024 * 1024)))] }),
    ],
    [
      'the same in many pieces',
      pdf({
        objects: Array.from({ length: 9 }, (_, index) =>
          stream(4 + index, '/Filter /FlateDecode', deflateSync(Buffer.alloc(8 * 1024 * 1024))),
        ),
      }),
    ],
    [
      'twelve pieces of 60 MiB whose checksums are wrong',
      pdf({ objects: repeated(12, '/Filter /FlateDecode', broken(60 * 1024 * 1024)) }),
    ],
    [
      'the same behind a filter that is elsewhere',
      pdf({ objects: repeated(12, '/Filter 77 0 R', broken(60 * 1024 * 1024)) }),
    ],
    [
      'one piece that does not inflate to its end',
      pdf({ objects: [stream(4, '/Filter /FlateDecode', broken(100))] }),
    ],
    [
      'one that is cut off',
      pdf({ objects: [stream(4, '/Filter [/FlateDecode]', deflateSync('BT (a) Tj ET').subarray(0, -5))] }),
    ],
    ['one whose data is not deflated', pdf({ objects: [stream(4, '/Filter /Fl#61teDecode', 'BT ET')] })],
    ['objects that hold one another', Buffer.concat([pdf(), Buffer.from('1 0 obj ['.repeat(40_000))])],
    [
      'strings that hold one another',
      Buffer.concat([
        pdf(),
        Buffer.from(`${'1 0 obj ('.repeat(20_000)}${')'.repeat(20_000)}`),
        Buffer.alloc(9_000_000, ' '),
      ]),
    ],
  ])('%s', (_what, content) => {
    const before = process.threadCpuUsage()
    expect(inspectPdf(content)).toBe('pdf_unreadable')
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(5000)
  })

  /** Zeros, deflated, with a wrong checksum behind them. */
  function broken(bytes: number): Buffer {
    const data = deflateSync(Buffer.alloc(bytes))
    data.writeUInt8((data.at(-1) ?? 0) ^ 1, data.length - 1)
    return data
  }

  function repeated(count: number, keys: string, data: Buffer): Buffer[] {
    return Array.from({ length: count }, (_, index) => stream(4 + index, keys, data))
  }

  /** Some programs take what follows the keyword for data, others what follows its line. */
  function sameLine(): Buffer {
    const harmless = deflateSync('4 0 null')
    const data = Buffer.concat([harmless, Buffer.from('\n'), deflateSync(`4 0 ${script}`)])
    const head = `9 0 obj << /N 1 /First 4 /Filter /FlateDecode /Length ${data.length} >> stream`
    return pdf({ objects: [Buffer.concat([Buffer.from(head), data, Buffer.from('endstream endobj\n')])] })
  }
})

describe('is no PDF:', () => {
  test.each([
    ['another beginning', Buffer.concat([Buffer.from('x'), pdf()])],
    ['no page', Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n%%EOF')],
    ['no catalog', Buffer.from('%PDF-1.7\n1 0 obj << /Type /Page >> endobj\n%%EOF')],
    ['a page of HTML after the right beginning', Buffer.from('%PDF-1.7\n<script>alert(1)</script>%%EOF')],
    ['nothing', Buffer.alloc(0)],
  ])('%s', (_what, content) => {
    expect(inspectPdf(content)).toBe('not_a_pdf')
  })
})

test('every input has a result', () => {
  const word = fc.constantFrom(
    ...[
      '<<',
      '>>',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '/',
      '%',
      '\n',
      '1 0 obj',
      'endobj',
      'stream\n',
      'endstream',
    ],
    ...[
      '/Type',
      '/ObjStm',
      '/N',
      '/First',
      '/Filter',
      '/FlateDecode',
      '1',
      '-1',
      '1e9',
      '0 R',
      '#',
      '\\',
      '\0',
    ],
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 60 }),
      (words) => {
        const content = Buffer.concat([pdf(), Buffer.from(words.join(' '), 'latin1')])
        expect([null, 'not_a_pdf', 'pdf_encrypted', 'pdf_active', 'pdf_unreadable']).toContain(
          inspectPdf(content),
        )
      },
    ),
    { numRuns: 500 },
  )
})
