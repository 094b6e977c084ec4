import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packed, pdf, pdfOf } from '@muripo/testing/pdf'
import { afterAll, expect, test } from 'vitest'
import { checkPdf } from './check-pdf.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'muripo-pdf-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(content: Buffer): string {
  const name = path.join(folder, 'a.pdf')
  writeFileSync(name, content)
  return name
}

test('a document is inspected in its own thread', async () => {
  const reported: unknown[] = []
  process.once('worker', (worker) => worker.once('message', (rejection) => reported.push(rejection)))
  expect(await checkPdf(file(pdfOf(10_000_000)))).toBeNull()
  expect(reported).toEqual([null])
})

test('the content of a document is reported', async () => {
  expect(await checkPdf(file(pdf({ objects: [packed(4, { 5: '<< /JS 6 0 R >>' })] })))).toBe('pdf_active')
})

test('an inspection that takes too long is ended and refused', async () => {
  expect(await checkPdf(file(pdfOf(10_000_000)), 1)).toBe('pdf_unreadable')
})

test('an inspection that takes too much memory ends its own thread and nothing else', async () => {
  // Every object takes a hundred times its place in the file.
  const greedy = pdf({ objects: [`4 0 obj [${'[]'.repeat(4_500_000)}] endobj\n`] })
  expect(await checkPdf(file(greedy))).toBe('pdf_unreadable')
})

test('a missing file is an internal error', async () => {
  await expect(checkPdf(path.join(folder, 'none.pdf'))).rejects.toMatchObject({ code: 'ENOENT' })
})
