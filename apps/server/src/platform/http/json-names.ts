const COLON = 58
const QUOTE = 34
const BACKSLASH = 92

/**
 * Whether an object in a JSON text has a name twice. The parser keeps the last value, and another program may keep the first. The text has one
 * colon for each member; the parsed value has fewer members when names are repeated. The work is linear, whatever the nesting.
 * @param value of the text, as the parser returned it
 */
export const repeatsName = (text: string, value: unknown): boolean => membersIn(text) !== membersOf(value)

function membersIn(text: string): number {
  let members = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COLON) members += 1
    else if (code === QUOTE) at = endOfString(text, at)
  }
  return members
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

function membersOf(value: unknown): number {
  let members = 0
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const values = Object.values(next)
    if (!Array.isArray(next)) members += values.length
    for (const each of values) if (typeof each === 'object' && each !== null) open.push(each)
  }
  return members
}
