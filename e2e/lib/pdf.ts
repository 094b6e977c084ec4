import { pdf as document } from '@muripo/testing/pdf'

/** A small document, as a file that a form takes. */
export const pdf = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: document() }

/** A document that starts a script when it is opened. */
export const pdfWithScript = {
  ...pdf,
  buffer: document({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' }),
}
