import type { QrDrawing } from '@muripo/contract/checkout'
import { encode } from 'uqr'

/** Longer text has modules that a camera cannot tell apart on a phone's screen. */
const MOST_CHARACTERS = 300

/** Draws a QR code without its margin; null for text that is too long for one. */
export function drawQr(text: string): QrDrawing | null {
  if (text === '' || text.length > MOST_CHARACTERS) return null
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  return { size, path: data.map(runsOf).join('') }
}

/** The dark modules of a row, as one rectangle for each run of them. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = ''
  for (let start = 0; start < row.length; start += 1) {
    if (!row[start]) continue
    let end = start
    while (row[end]) end += 1
    path += `M${start} ${y}h${end - start}v1h-${end - start}z`
    start = end
  }
  return path
}
