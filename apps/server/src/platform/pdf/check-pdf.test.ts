import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packed, pdf, pdfOf } from '../../../test/pdf.ts'
import { checkPdf } from './check-pdf.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'muripo-pdf-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(content: Buffer): string {
  const name = path.join(folder, 'a.pdf')
  writeFileSync(name, content)
  return name
}

test('a document is looked through beside the thread that answers, which goes on meanwhile', async () => {
  let turns = 0
  const beat = setInterval(() => {
    turns += 1
  }, 1)
  await checkPdf(file(pdfOf(10_000_000)))
  clearInterval(beat)
  expect(turns).toBeGreaterThan(5)
})

test('what it does is said', async () => {
  await expect(checkPdf(file(pdf({ objects: [packed(4, { 5: '<< /JS 6 0 R >>' })] })))).rejects.toMatchObject(
    {
      code: 'pdf_active',
    },
  )
})

test('what takes too long is ended and refused', async () => {
  await expect(checkPdf(file(pdfOf(10_000_000)), 1)).rejects.toMatchObject({ code: 'pdf_unreadable' })
})

test('what takes too much memory ends its own thread and nothing else', async () => {
  // Every object takes a hundred times its place in the file.
  const greedy = pdf({ objects: [`4 0 obj [${'[]'.repeat(4_500_000)}] endobj\n`] })
  await expect(checkPdf(file(greedy))).rejects.toMatchObject({ code: 'pdf_unreadable' })
})

test('a file that is not there is a fault of ours', async () => {
  await expect(checkPdf(path.join(folder, 'none.pdf'))).rejects.toMatchObject({ code: 'ENOENT' })
})
