const mark = '\xef\xbb\xbf'
const magic = '%PDF-'
/** Scanners and web servers write a byte order mark or white space before the first byte, and readers search this far. */
const WITHIN_BYTES = 1024

/** The first bytes of a file that decide whether it begins as a PDF. */
export const PDF_HEAD_BYTES = WITHIN_BYTES + magic.length

/** Whether a file with these first bytes begins as a PDF; null while too few of them are there. No other bytes may come before. */
export function beginsAsPdf(bytes: Buffer): boolean | null {
  const text = bytes.toString('latin1', 0, PDF_HEAD_BYTES)
  if (mark.startsWith(text)) return null
  const [before = ''] = /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*/.exec(text) ?? []
  if (before.length > WITHIN_BYTES) return false
  const rest = text.slice(before.length, before.length + magic.length)
  if (!magic.startsWith(rest)) return false
  return rest.length < magic.length ? null : true
}
