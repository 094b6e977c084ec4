const text = '%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n'

/** A small document, as a file that a form takes. */
export const pdf = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: Buffer.from(text) }
