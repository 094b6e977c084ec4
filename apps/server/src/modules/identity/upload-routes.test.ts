import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { readDocumentUrl } from './document-url.ts'
import { makeIdentityApp } from './factory.ts'

const pdf = (sizeBytes: number): Buffer => {
  const bytes = Buffer.alloc(sizeBytes, 'x')
  bytes.write('%PDF-1.7\n', 0)
  bytes.write('\n%%EOF\n', sizeBytes - 7)
  return bytes
}

describe('POST /v1/files/upload', () => {
  let dataDir: string
  let ctx: TestCtx
  let app: FastifyInstance
  let url: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muripo-upload-'))
    ctx = await testCtx({ MURIPO_DATA: dataDir })
    app = await makeIdentityApp(ctx)
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/files/upload`
  })
  afterAll(async () => {
    await app.close()
    await ctx.close()
    await rm(dataDir, { recursive: true })
  })
  beforeEach(async () => {
    for (const name of await keptFiles()) await rm(join(dataDir, 'files', name))
    await ctx.db.kysely.deleteFrom('documents').execute()
  })

  const keptFiles = () => readdir(join(dataDir, 'files')).catch(() => [])
  const rows = () => ctx.db.kysely.selectFrom('documents').selectAll().execute()

  async function expectNothingKept(): Promise<void> {
    await vi.waitFor(async () => expect(await keptFiles()).toEqual([]))
    expect(await rows()).toEqual([])
  }

  function form(...parts: [name: string, content: Buffer | string, filename?: string, type?: string][]) {
    const data = new FormData()
    for (const [name, content, filename, type] of parts) {
      if (filename === undefined) data.append(name, content.toString())
      else data.append(name, new Blob([new Uint8Array(Buffer.from(content))], { type: type ?? '' }), filename)
    }
    return data
  }

  async function upload(
    body: FormData | ReadableStream | string | null,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-api-key': ctx.keys.uploadKey, ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit)
    return {
      status: response.status,
      body: (await response.json()) as { url: string; code: string; message: string },
    }
  }

  test('keeps a PDF and answers an address that names it to this server alone (CALLS-13)', async () => {
    const content = pdf(200_000)
    const answer = await upload(form(['file', content, 'passport.pdf', 'application/pdf']))
    expect(answer.status).toBe(201)
    expect(answer.body.url).toMatch(/^http:\/\/gateway\.test\/v1\/files\/[A-Za-z0-9_-]{60}$/)
    const id = readDocumentUrl(ctx, answer.body.url)
    expect(await keptFiles()).toEqual([id])
    expect(await readFile(join(dataDir, 'files', id as string))).toEqual(content)
    expect(await rows()).toMatchObject([{ storage_key: id, size_bytes: 200_000 }])
  })

  test('serves what was kept to nobody', async () => {
    const answer = await upload(form(['file', pdf(100), 'a.pdf', 'application/pdf']))
    const path = new URL(answer.body.url).pathname
    for (const method of ['GET', 'HEAD', 'DELETE'] as const) {
      expect(
        (await app.inject({ method, url: path, headers: { 'x-api-key': ctx.keys.uploadKey } })).statusCode,
      ).toBe(404)
    }
  })

  test('streams a part that gives no file name like any other', async () => {
    const content = pdf(2_000_000)
    const head = '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\n'
    const body = `${head}${content.toString('latin1')}\r\n--b--\r\n`
    const answer = await upload(body, { 'content-type': 'multipart/form-data; boundary=b' })
    expect(answer.status).toBe(201)
    expect(await rows()).toMatchObject([{ size_bytes: 2_000_000 }])
  })

  test('takes a file one byte below the limit', async () => {
    expect((await upload(form(['file', pdf(PDF_MAX_BYTES - 1), 'a.pdf']))).status).toBe(201)
  })

  test.each([
    ['exactly the limit', PDF_MAX_BYTES],
    ['one byte more', PDF_MAX_BYTES + 1],
    ['twice the limit', 2 * PDF_MAX_BYTES],
  ])('refuses a file of %s and keeps no byte of it (SIGNUP-20)', async (_what, size) => {
    const answer = await upload(form(['file', pdf(size), 'a.pdf', 'application/pdf']))
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'file_too_large', message: 'File size must be less than 10MB' },
    })
    await expectNothingKept()
  })

  test('refuses a large file that comes without a length', async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    const parts = [Buffer.from(head), pdf(PDF_MAX_BYTES + 100_000), Buffer.from('\r\n--b--\r\n')]
    const stream = new ReadableStream({
      pull(controller) {
        const next = parts.shift()
        if (next) controller.enqueue(new Uint8Array(next))
        else controller.close()
      },
    })
    const answer = await upload(stream, { 'content-type': 'multipart/form-data; boundary=b' })
    expect(answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
    await expectNothingKept()
  })

  test.each([
    ['a program under the name of a PDF', Buffer.from('MZ\u0090\u0000 %PDF-1.7 %%EOF')],
    ['a page of HTML', Buffer.from('<!doctype html><script>alert(1)</script>%%EOF')],
    ['a PDF whose end is cut off', pdf(50_000).subarray(0, 40_000)],
    ['an end that stands too far from the end', Buffer.concat([pdf(100), Buffer.alloc(2000)])],
    ['a beginning that does not stand at the beginning', Buffer.concat([Buffer.from(' '), pdf(100)])],
    ['no byte', Buffer.alloc(0)],
    ['four bytes of the right beginning', Buffer.from('%PDF')],
  ])('refuses %s, whatever its type says (SIGNUP-19)', async (_what, content) => {
    const answer = await upload(form(['file', content, 'passport.pdf', 'application/pdf']))
    expect(answer).toMatchObject({
      status: 415,
      body: { code: 'not_a_pdf', message: 'Only PDF files are allowed' },
    })
    await expectNothingKept()
  })

  test('answers a large file that is no PDF, though it stops reading at once', async () => {
    const answer = await upload(form(['file', Buffer.alloc(9_000_000), 'a.pdf', 'application/pdf']))
    expect(answer).toMatchObject({ status: 415, body: { code: 'not_a_pdf' } })
    await expectNothingKept()
  })

  test.each([
    ['two files', form(['file', pdf(100), 'a.pdf'], ['file', pdf(100), 'b.pdf'])],
    ['a file and a field', form(['file', pdf(100), 'a.pdf'], ['note', 'x'])],
    ['another name', form(['document', pdf(100), 'a.pdf'])],
    ['a name that objects have', form(['__proto__', pdf(100), 'a.pdf'])],
    ['no part', form()],
    [
      'twenty parts',
      form(...Array.from({ length: 20 }, () => ['file', pdf(100), 'a.pdf'] as [string, Buffer, string])),
    ],
  ])('refuses %s', async (_what, body) => {
    expect(await upload(body)).toMatchObject({ status: 400, body: { code: 'malformed_request' } })
    await expectNothingKept()
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
    ['a bare PDF', 'application/pdf', pdf(100).toString('latin1'), 415],
  ])('refuses %s', async (_what, type, body, status) => {
    expect((await upload(body, { 'content-type': type })).status).toBe(status)
    await expectNothingKept()
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
    await expectNothingKept()
  })

  test('keeps nothing of an upload that breaks off', async () => {
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
    outgoing.write(pdf(300_000))
    await vi.waitFor(async () => expect(await keptFiles()).toHaveLength(1), { timeout: 5000 })
    outgoing.destroy()
    await expectNothingKept()
  })

  test('gives each of many uploads at once its own address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => upload(form(['file', pdf(150_000), 'a.pdf']))),
    )
    expect(new Set(answers.map((answer) => answer.body.url)).size).toBe(8)
    expect(await rows()).toHaveLength(8)
  })
})

const statusOf = (outgoing: ClientRequest): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', (response) => resolve(response.statusCode))
    outgoing.on('close', () => reject(new Error('closed without an answer')))
  })
