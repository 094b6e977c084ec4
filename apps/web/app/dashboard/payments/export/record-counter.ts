const QUOTE = 0x22
const LINE_FEED = 0x0a

/** Counts the rows of a CSV file as its bytes come in, whichever way they are cut: a line break between quotes ends none. */
export function createRecordCounter(): (bytes: Uint8Array) => number {
  let records = 0
  let quoted = false
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === QUOTE) quoted = !quoted
      else if (byte === LINE_FEED && !quoted) records += 1
    }
    return records
  }
}
