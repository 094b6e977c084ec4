import { stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import type { FileId } from '@muripo/contract/ids'
import { packed, pdf, pdfOf } from '@muripo/testing/pdf'
import { describe, expect, test } from 'vitest'
import { form, statusOf, uploadServer } from '../../../../test/upload-server.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { readDocumentUrl } from './document-url.ts'

const { ctx, app, url, dataDir, storedFiles, rows, expectNothingStored, upload } = await uploadServer()

describe('POST /v1/files/upload', () => {
  test('[CALLS-13] stores a PDF and returns an address that only this gateway can decrypt', async () => {
    const content = pdfOf(200_000)
    const answer = await upload(form(['file', content, 'passport.pdf', 'application/pdf']))
    expect(answer.status).toBe(201)
    expect(answer.body.url).toMatch(/^http:\/\/gateway\.test\/v1\/files\/[A-Za-z0-9_-]{60}$/)
    const id = readDocumentUrl(ctx, answer.body.url) as FileId
    const [row, ...others] = await rows()
    expect(others).toEqual([])
    expect(row).toMatchObject({ id: uuidOf(id), size_bytes: 200_000 })
    expect(await bytesOf(await ctx.files.read(row?.storage_key ?? ''))).toEqual(content)
  })

  test('stores it readable for this process only, under a random name', async () => {
    const answer = await upload(form(['file', pdf(), 'passport.pdf']))
    const [name = '', ...others] = await storedFiles()
    expect(others).toEqual([])
    expect(name).toMatch(/^[0-9a-f]{32}$/)
    expect(answer.body.url).not.toContain(name)
    expect(readDocumentUrl(ctx, answer.body.url)).not.toContain(name)
    expect((await stat(join(dataDir, 'files', name))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'files'))).mode & 0o777).toBe(0o700)
  })

  test('serves no stored document', async () => {
    const answer = await upload(form(['file', pdf(), 'a.pdf', 'application/pdf']))
    const path = new URL(answer.body.url).pathname
    for (const method of ['GET', 'HEAD', 'DELETE'] as const) {
      expect(
        (await app.inject({ method, url: path, headers: { 'x-api-key': ctx.keys.uploadKey } })).statusCode,
      ).toBe(404)
    }
  })

  test('streams a part without a file name like any other', async () => {
    const content = pdfOf(2_000_000)
    const head = '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\n'
    const body = `${head}${content.toString('latin1')}\r\n--b--\r\n`
    const answer = await upload(body, { 'content-type': 'multipart/form-data; boundary=b' })
    expect(answer.status).toBe(201)
    expect(await rows()).toMatchObject([{ size_bytes: 2_000_000 }])
  })

  test.each([
    ['a line break', '\r\n'],
    ['a byte order mark', '\xef\xbb\xbf'],
    ['a mark and white space', '\xef\xbb\xbf\r\n \t'],
    ['as much white space as readers accept', ' '.repeat(1024)],
  ])('accepts and stores a PDF with %s before its beginning', async (_what, before) => {
    const content = Buffer.concat([Buffer.from(before, 'latin1'), pdf()])
    const answer = await upload(form(['file', content, 'scan.pdf']))
    expect(answer.status).toBe(201)
    const [row] = await rows()
    expect(await bytesOf(await ctx.files.read(row?.storage_key ?? ''))).toEqual(content)
  })

  test('accepts a file one byte below the limit', async () => {
    expect((await upload(form(['file', pdfOf(PDF_MAX_BYTES - 1), 'a.pdf']))).status).toBe(201)
  })

  test.each([
    ['exactly the limit', PDF_MAX_BYTES],
    ['one byte more', PDF_MAX_BYTES + 1],
    ['twice the limit', 2 * PDF_MAX_BYTES],
  ])('[SIGNUP-20] [R-03] refuses a file of %s and keeps no byte of it', async (_what, size) => {
    const answer = await upload(form(['file', pdfOf(size), 'a.pdf', 'application/pdf']))
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'file_too_large', message: 'File size must be less than 10MB' },
    })
    await expectNothingStored()
  })

  test('refuses a large file that comes without a length', async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    const parts = [Buffer.from(head), pdfOf(PDF_MAX_BYTES + 100_000), Buffer.from('\r\n--b--\r\n')]
    const stream = new ReadableStream({
      pull(controller) {
        const next = parts.shift()
        if (next) controller.enqueue(new Uint8Array(next))
        else controller.close()
      },
    })
    const answer = await upload(stream, { 'content-type': 'multipart/form-data; boundary=b' })
    expect(answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
    await expectNothingStored()
  })

  test.each([
    ['a program under the name of a PDF', Buffer.from('MZ\u0090\u0000 %PDF-1.7 %%EOF')],
    ['a page of HTML', Buffer.from('<!doctype html><script>alert(1)</script>%%EOF')],
    ['a PDF whose end is cut off', pdfOf(50_000).subarray(0, 40_000)],
    ['an end that stands too far from the end', Buffer.concat([pdf(), Buffer.alloc(2000)])],
    ['a beginning after other text', Buffer.concat([Buffer.from('\n@PJL\n'), pdf()])],
    ['a beginning after too much white space', Buffer.concat([Buffer.alloc(1025, ' '), pdf()])],
    ['half a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb]), pdf()])],
    ['a byte order mark alone', Buffer.from([0xef, 0xbb, 0xbf])],
    ['no byte', Buffer.alloc(0)],
    ['four bytes of the right beginning', Buffer.from('%PDF')],
  ])('[SIGNUP-19] refuses %s, whatever its declared type', async (_what, content) => {
    const answer = await upload(form(['file', content, 'passport.pdf', 'application/pdf']))
    expect(answer).toMatchObject({
      status: 415,
      body: { code: 'not_a_pdf', message: 'Only PDF files are allowed' },
    })
    await expectNothingStored()
  })

  test.each([
    ['a protected one', pdf({ trailer: '/Encrypt 4 0 R' }), 'pdf_encrypted', 'This PDF is protected. Please'],
    [
      'one with a script among its packed objects',
      pdf({ objects: [packed(4, { 5: '<< /S /J#61vaScript /JS (x) >>' })] }),
      'pdf_active',
      'This PDF contains scripts, attached files or other active parts. Please',
    ],
    [
      'one that cannot be inspected',
      pdf({ objects: [packed(4, { 5: 'null' }, '/Filter /LZWDecode')] }),
      'pdf_unreadable',
      'This PDF could not be checked. Please',
    ],
  ])(
    'refuses %s with a sentence on the next step, and stores nothing',
    async (_what, content, code, states) => {
      const answer = await upload(form(['file', content, 'passport.pdf', 'application/pdf']))
      expect(answer).toMatchObject({ status: 422, body: { code, message: expect.stringContaining(states) } })
      await expectNothingStored()
    },
  )

  test('responds to a large file of another type, although it stops reading immediately', async () => {
    const answer = await upload(form(['file', Buffer.alloc(9_000_000), 'a.pdf', 'application/pdf']))
    expect(answer).toMatchObject({ status: 415, body: { code: 'not_a_pdf' } })
    await expectNothingStored()
  })

  test.each([
    ['two files', form(['file', pdf(), 'a.pdf'], ['file', pdf(), 'b.pdf'])],
    ['a file and a field', form(['file', pdf(), 'a.pdf'], ['note', 'x'])],
    ['another name', form(['document', pdf(), 'a.pdf'])],
    ['a name that objects have', form(['__proto__', pdf(), 'a.pdf'])],
    ['no part', form()],
    [
      'twenty parts',
      form(...Array.from({ length: 20 }, () => ['file', pdf(), 'a.pdf'] as [string, Buffer, string])),
    ],
  ])('refuses %s', async (_what, body) => {
    expect(await upload(body)).toMatchObject({ status: 400, body: { code: 'malformed_request' } })
    await expectNothingStored()
  })

  test.each([
    ['no boundary', 'multipart/form-data', 'x', 400],
    [
      'no last boundary',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\n%PDF-%%EOF',
      400,
    ],
    ['no boundary where one is declared', 'multipart/form-data; boundary=b', 'hello', 400],
    ['a JSON body', 'application/json', '{"file":"x"}', 415],
    ['a bare PDF', 'application/pdf', pdf().toString('latin1'), 415],
  ])('refuses %s', async (_what, type, body, status) => {
    expect((await upload(body, { 'content-type': type })).status).toBe(status)
    await expectNothingStored()
  })

  test('refuses no body at all', async () => {
    expect((await upload(null)).status).toBe(415)
  })

  test.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a wrong key', 'uk_wrong'],
    ['the key in other case', 'UPPER'],
  ])('refuses %s before it reads the body', async (_what, key) => {
    const given = key === 'UPPER' ? ctx.keys.uploadKey.toUpperCase() : key
    const outgoing = httpRequest(url, {
      method: 'POST',
      headers: {
        'content-length': '5000000',
        'content-type': 'multipart/form-data; boundary=b',
        ...(given === undefined ? {} : { 'x-api-key': given }),
      },
    })
    outgoing.on('error', () => undefined)
    outgoing.flushHeaders()
    expect(await statusOf(outgoing)).toBe(401)
    outgoing.destroy()
    await expectNothingStored()
  })

  test('stores nothing of an interrupted upload', async () => {
    const outgoing = httpRequest(url, {
      method: 'POST',
      headers: {
        'x-api-key': ctx.keys.uploadKey,
        'content-length': '5000000',
        'content-type': 'multipart/form-data; boundary=b',
      },
    })
    outgoing.on('error', () => undefined)
    outgoing.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n')
    outgoing.write(pdfOf(300_000))
    await expect.poll(storedFiles).toHaveLength(1)
    outgoing.destroy()
    await expectNothingStored()
  })

  test('returns an address of its own for each of many concurrent uploads', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => upload(form(['file', pdfOf(150_000), 'a.pdf']))),
    )
    expect(new Set(answers.map((answer) => answer.body.url)).size).toBe(8)
    expect(await rows()).toHaveLength(8)
  })
})

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}
