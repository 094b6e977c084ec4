const isSpace = (character: string): boolean => /[ \t\r]/.test(character)

/** The characters that a backslash quotes between double quotes. */
const quoted = '"\\`$'

/** The end of a value between quotes that begin at `start`, and its text. */
function betweenQuotes(text: string, start: number): { readonly end: number; readonly value: string } {
  const quote = text[start]
  let value = ''
  let at = start + 1
  for (; at < text.length && text[at] !== quote; at += 1) {
    const next = text[at + 1] ?? ''
    if (quote === "'" || text[at] !== '\\') value += text[at]
    else {
      if (next !== '\n') value += quoted.includes(next) ? next : `\\${next}`
      at += 1
    }
  }
  return { end: at + 1, value }
}

/** A value from `start` to the end of its line, and the position behind it. */
function valueAt(text: string, start: number): { readonly end: number; readonly value: string } {
  let at = start
  let value = ''
  while (at < text.length && text[at] !== '\n') {
    if (isSpace(text[at] ?? '')) at += 1
    else if (text[at] === '"' || text[at] === "'") {
      const part = betweenQuotes(text, at)
      value += part.value
      at = part.end
    } else break
  }
  let plain = ''
  for (; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '\\') {
      at += 1
      if (text[at] !== '\n') plain += text[at] ?? ''
    } else plain += text[at]
  }
  return { end: at + 1, value: value + plain.trimEnd() }
}

/**
 * The variables of a file of `EnvironmentFile=`, as systemd reads it: a value is not expanded, `#` begins a comment at the start of a line only,
 * and a backslash joins lines.
 */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {}
  let at = 0
  while (at < text.length) {
    const [line = ''] = text.slice(at).split('\n', 1)
    const [head, name] = /^\s*([A-Za-z_]\w*)\s*=/.exec(line) ?? []
    if (head === undefined || name === undefined) {
      at += line.length + 1
      continue
    }
    const { end, value } = valueAt(text, at + head.length)
    variables[name] = value
    at = end
  }
  return variables
}
