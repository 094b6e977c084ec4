import { request as httpRequest } from 'node:http'
import { FileId } from '@muripo/contract/ids'
import { describe, expect, test } from 'vitest'
import { pdf } from '../../../../test/pdf.ts'
import { form, statusOf, uploadServer } from '../../../../test/upload-server.ts'
import { claimDocument, insertDocument } from './document-store.ts'
import { readDocumentUrl } from './document-url.ts'

const { ctx, url, keptFiles, upload } = await uploadServer()

describe('what nobody has claimed', () => {
  const GIB = 1024 ** 3
  const fill = (sizeBytes: number) =>
    ctx.db.tx((tx) =>
      insertDocument(tx, {
        id: ctx.ids.next(FileId),
        storageKey: ctx.ids.bytes(16).toString('hex'),
        sizeBytes,
        sha256: Buffer.alloc(32),
        uploadedAt: ctx.clock.now(),
      }),
    )
  const full = {
    status: 503,
    body: {
      code: 'uploads_full',
      message: 'No more documents can be taken at the moment. Please try again later',
    },
  }

  test('takes a gigabyte at most, then uploads are refused before they are read', async () => {
    await fill(GIB - 64 * 1024)
    expect((await upload(form(['file', pdf(), 'a.pdf']))).status).toBe(201)
    expect(await upload(form(['file', pdf(), 'a.pdf']))).toMatchObject(full)
    const outgoing = httpRequest(url, {
      method: 'POST',
      headers: {
        'x-api-key': ctx.keys.uploadKey,
        'content-length': '5000000',
        'content-type': 'multipart/form-data; boundary=b',
      },
    })
    outgoing.on('error', () => undefined)
    outgoing.flushHeaders()
    expect(await statusOf(outgoing)).toBe(503)
    outgoing.destroy()
    expect(await keptFiles()).toHaveLength(1)
  })

  test('is not overrun by uploads that come together', async () => {
    await fill(GIB - 3 * 64 * 1024)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => upload(form(['file', pdf(), 'a.pdf']))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(9)
    expect(await keptFiles()).toHaveLength(3)
  })

  test('makes room again when an account is opened with it', async () => {
    await fill(GIB - 64 * 1024)
    const { body } = await upload(form(['file', pdf(), 'a.pdf']))
    expect(await upload(form(['file', pdf(), 'a.pdf']))).toMatchObject(full)
    const id = readDocumentUrl(ctx, body.url) as FileId
    await ctx.db.tx((tx) => claimDocument(tx, id, ctx.clock.now()))
    expect((await upload(form(['file', pdf(), 'a.pdf']))).status).toBe(201)
    await ctx.db.pool.query('alter table documents disable trigger documents_guard_claim')
    await ctx.db.kysely.deleteFrom('documents').execute()
    await ctx.db.pool.query('alter table documents enable trigger documents_guard_claim')
  })
})
