import { deflateSync } from 'node:zlib'
import { packed, packing, pdf, stream } from '@muripo/testing/pdf'
import { describe, expect, test } from 'vitest'
import { inspectPdf } from './inspect.ts'

const script = '<< /S /JavaScript /JS (app.alert(1)) >>'
const escaped = (name: string): string =>
  `/${[...name].map((character) => `#${character.charCodeAt(0).toString(16)}`).join('')}`

describe('is refused for what it does:', () => {
  const active: readonly [string, Buffer][] = [
    ['a script', pdf({ objects: [`4 0 obj\n${script}\nendobj\n`] })],
    [
      'a script under a name of numbers',
      pdf({ objects: ['4 0 obj\n<</S/J#61vaScript/J#53 (x)>>\nendobj\n'] }),
    ],
    ['a name of nothing but numbers', pdf({ objects: [`4 0 obj <</S${escaped('JavaScript')}>> endobj\n`] })],
    ['one whose number is interrupted', pdf({ objects: ['4 %a\n0 %b\nobj << /JS 5 0 R >> endobj\n'] })],
    ['one whose keyword has a tail', pdf({ objects: ['4 0 obj7<< /JS 5 0 R >> endobj\n'] })],
    ['a key for scripts alone', pdf({ objects: ['4 0 obj\n<< /JS 5 0 R >>\nendobj\n'] })],
    ['such a key in numbers', pdf({ objects: [`4 0 obj\n<< ${escaped('JS')} 5 0 R >>\nendobj\n`] })],
    ['a script in packed objects', pdf({ objects: [packed(9, { 4: script })] })],
    ['a key in packed objects', pdf({ objects: [packed(9, { 4: '[ << /AA << /O 5 0 R >> >> ]' })] })],
    ['a script between packed objects', hiddenBetween(script)],
    ['packed objects that do not say so', pdf({ objects: [undeclared({ 4: script })] })],
    [
      'packed objects that stand in a picture',
      pdf({ objects: [stream(4, '/Subtype /Image', packed(9, { 5: script }))] }),
    ],
    ['a script in a picture', pdf({ objects: [stream(4, '/Subtype /Image', `5 0 obj ${script} endobj`)] })],
    ['a script in a string', pdf({ objects: [`4 0 obj (5 0 obj ${script} endobj) endobj\n`] })],
    ['a script in a comment', pdf({ objects: [`%5 0 obj ${script} endobj\n`] })],
    ['a script in an update', Buffer.concat([pdf(), Buffer.from(`4 0 obj ${script} endobj\n`), pdf()])],
    [
      'a script that an update replaced',
      pdf({ objects: [`4 0 obj ${script} endobj\n`, '4 0 obj null endobj\n'] }),
    ],
    ['a script after the end', Buffer.concat([pdf(), Buffer.from(`4 0 obj ${script} endobj\n%%EOF`)])],
    ['a script in an unfinished object', pdf({ objects: [`4 0 obj ${script.slice(0, -2)}\n`] })],
    ['a program that is started', pdf({ objects: ['4 0 obj << /S /Launch /F (cmd.exe) >> endobj\n'] })],
    ['a file in it', pdf({ catalog: '/Names << /EmbeddedFiles 4 0 R >>' })],
    ['the stream of a file', pdf({ objects: [stream(4, '/Type /EmbeddedFile', 'MZ')] })],
    ['an attachment', pdf({ objects: ['4 0 obj << /Subtype /FileAttachment >> endobj\n'] })],
    ['a film', pdf({ objects: ['4 0 obj << /Subtype /RichMedia >> endobj\n'] })],
    ['a form that is sent', pdf({ objects: ['4 0 obj << /S /SubmitForm /F (http://x) >> endobj\n'] })],
    ['a form that is a program', pdf({ catalog: '/AcroForm << /XFA [(a) 4 0 R] >>' })],
    [
      'another file that is opened',
      pdf({ objects: ['4 0 obj << /S /GoToR /F (\\\\\\\\evil\\\\x) >> endobj\n'] }),
    ],
    [
      'an address that a file is fetched from',
      pdf({ objects: ['4 0 obj << /F << /FS /URL /F (http://x) >> >> endobj\n'] }),
    ],
    ['data that is fetched', pdf({ objects: [stream(4, '/F (http://x)', '')] })],
    [
      'a page that does something',
      pdf({ objects: ['4 0 obj << /Type /Page /AA << /O 5 0 R >> >> endobj\n'] }),
    ],
    ['an address that is opened', pdf({ catalog: '/OpenAction << /S /URI /URI (http://x) >>' })],
    ['one after the page', pdf({ catalog: '/OpenAction << /S /GoTo /D [3 0 R] /Next << /S /URI >> >>' })],
    ['one behind a string', pdf({ catalog: '/OpenAction << /S /GoTo /X (>>) /Next 4 0 R >>' })],
    ['two kinds of one action', pdf({ catalog: '/OpenAction << /S /GoTo /S /URI >>' })],
    ['two actions', pdf({ catalog: '/OpenAction [3 0 R] /OpenAction << /S /URI >>' })],
    ['an action that is nowhere', pdf({ catalog: '/OpenAction 77 0 R' })],
    [
      'an action that an update replaced',
      pdf({
        catalog: '/OpenAction 4 0 R',
        objects: ['4 0 obj << /S /URI >> endobj\n', '4 0 obj << /S /GoTo >> endobj\n'],
      }),
    ],
    [
      'an action whose other half is packed',
      pdf({
        catalog: '/OpenAction 4 0 R',
        objects: ['4 0 obj << /S /GoTo >> endobj\n', packed(9, { 4: '<< /S /URI >>' })],
      }),
    ],
    ['an action where no object is', pdf({ trailer: '/Root << /OpenAction << /S /URI >> >>' })],
    ['an action between packed objects', hiddenBetween('<< /Type /Catalog /OpenAction << /S /URI >> >>')],
  ]
  test.each(active)('%s', (_what, content) => {
    expect(inspectPdf(content)).toBe('pdf_active')
  })

  /** A table that leads past an object, which a program that reads one after the other still finds. */
  function hiddenBetween(object: string): Buffer {
    const { table, body } = packing({ 4: '[1]', 5: object, 6: '[2]' })
    const shortened = `4 0 6 ${body.lastIndexOf('[2]')} `.padEnd(table.length)
    return pdf({
      objects: [
        stream(
          9,
          `/Type /ObjStm /N 2 /First ${table.length} /Filter /FlateDecode`,
          deflateSync(shortened + body),
        ),
      ],
    })
  }

  /** Programs follow the table of the document to these, and never ask what they are called. */
  function undeclared(objects: Record<number, string>): Buffer {
    const { table, body } = packing(objects)
    return stream(9, `/N 1 /#46irst ${table.length} /Filter [/FlateDecode]`, deflateSync(table + body))
  }
})
