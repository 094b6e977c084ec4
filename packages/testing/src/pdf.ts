import { deflateSync } from 'node:zlib'

export interface PdfParts {
  /** More keys of the catalog. */
  readonly catalog?: string
  /** Further objects, numbered from 4, as they are written into the file. */
  readonly objects?: readonly (string | Buffer)[]
  /** More keys of the trailer. */
  readonly trailer?: string
}

/** A document of one page. */
export function pdf({ catalog = '', objects = [], trailer = '' }: PdfParts = {}): Buffer {
  const parts = [
    '%PDF-1.7\n',
    `1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n`,
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n',
    ...objects,
    `trailer\n<< /Root 1 0 R /Size ${4 + objects.length} ${trailer} >>\nstartxref\n9\n%%EOF\n`,
  ]
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

export const stream = (number: number, keys: string, data: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`${number} 0 obj\n<< ${keys} /Length ${data.length} >>\nstream\n`),
    Buffer.from(data),
    Buffer.from('\nendstream\nendobj\n'),
  ])

/** Objects in a stream, as most writers pack them. */
export function packed(number: number, objects: Readonly<Record<number, string>>, keys?: string): Buffer {
  const { table, body } = packing(objects)
  return stream(
    number,
    `/Type /ObjStm /N ${Object.keys(objects).length} /First ${table.length} ${keys ?? '/Filter /FlateDecode'}`,
    keys === undefined ? deflateSync(table + body) : table + body,
  )
}

export function packing(objects: Readonly<Record<number, string>>): { table: string; body: string } {
  let body = ''
  let table = ''
  for (const [number, object] of Object.entries(objects)) {
    table += `${number} ${body.length} `
    body += `${object}\n`
  }
  return { table, body }
}

/** A document of exactly this size, nearly all of it a picture. */
export function pdfOf(sizeBytes: number): Buffer {
  const picture = (bytes: number) =>
    pdf({ objects: [stream(4, '/Subtype /Image', Buffer.alloc(bytes, 'x'))] })
  // The size of the document without the picture. The written length of both pictures has the same number of digits.
  const around = picture(sizeBytes).length - sizeBytes
  const content = picture(sizeBytes - around)
  return content.length === sizeBytes
    ? content
    : Buffer.concat([content, Buffer.alloc(sizeBytes - content.length, '\n')])
}
