const document = (catalog: string) =>
  Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R ${catalog} >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`)

/** A small document, as a file that a form takes. */
export const pdf = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: document('') }

/** A document that starts a script when it is opened. */
export const pdfWithScript = {
  ...pdf,
  buffer: document('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'),
}
