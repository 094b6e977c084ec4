/**
 * Removes the traces of devices and programs from entered text: marks that are invisible, line breaks and digits of other systems. Callers
 * limit the length of a text first; every function is linear.
 */

/** Text of visible ASCII characters and spaces, as nearly every text of a request is. It needs no cleaning beyond its outer spaces. */
export const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

/**
 * Marks that programs put around and between words, and that no reader sees: soft hyphens, zero-width spaces, byte order marks, and marks
 * of the direction of writing. The joiners U+200C and U+200D separate and join letters, and stay.
 */
const marks = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u206f\ufeff]/g

/** Nothing at the ends of a text depends on these: spaces and joiners. */
const outer = /[\s\u200c\u200d]/

/** A text without invisible marks, and without spaces around it. Overrides, which reverse the letters after them, stay and are refused. */
export function withoutMarks(typed: string): string {
  if (isPlain(typed)) return typed.trim()
  const text = typed.replace(marks, '')
  let [start, end] = [0, text.length]
  while (start < end && outer.test(text.charAt(start))) start += 1
  while (start < end && outer.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** The line breaks of every system as `\n`, and tabs as two spaces. */
export const withPlainLines = (text: string): string =>
  text.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n').replaceAll('\t', '  ')

/** A text in one line: each sequence of spaces and line breaks is one space. */
export const inOneLine = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim()

const isDigit = (codePoint: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(codePoint))

/** The value of a digit of any script. Unicode has the ten digits of a script in order, and at most two scripts side by side. */
function digitValue(digit: string): string {
  const codePoint = digit.codePointAt(0) as number
  let first = codePoint
  while (codePoint - first < 20 && isDigit(first - 1)) first -= 1
  return String((codePoint - first) % 10)
}

/** A text whose digits, dashes and plus signs are those of ASCII, whatever keyboard they come from. */
const withPlainSigns = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, digitValue)
    .replace(/[\p{Pd}\u2043\u2212\u30fc]/gu, '-')
    .replace(/[\u02d6\u2795]/g, '+')
    .replace(/[\u00b7\u2022\u2219\u22c5\u3002]/g, '.')

/** Characters that no phone number and no code has. */
const invisible = /\p{Cf}|[\ufe00-\ufe0f]/gu

/** The longest text that is read as a phone number or a code. */
export const TYPED_NUMBER_MAX = 128

/** More marks in a row than any language has: their normalisation takes quadratic time. */
export const manyMarks = /\p{M}{31}/u

/**
 * A phone number in ASCII, as far as its characters are those of a phone number: without invisible marks, the scheme of a link, and the
 * apostrophe by which spreadsheets mark text.
 */
export function cleanPhone(typed: string): string {
  if (typed.length > TYPED_NUMBER_MAX || manyMarks.test(typed)) return typed
  const plain = isPlain(typed) ? typed : withPlainSigns(typed.replace(invisible, ''))
  return inOneLine(plain)
    .replace(/^['\u2019](?=[+(\d])/, '')
    .replace(/^tel:/i, '')
    .trim()
}

/** A one-time code in ASCII, without the spaces and dashes that group it. */
export function cleanCode(typed: string): string {
  if (typed.length > TYPED_NUMBER_MAX || manyMarks.test(typed)) return typed
  return withPlainSigns(typed.replace(invisible, '')).replace(/[\s-]/g, '')
}

/** An email address without invisible marks and the scheme of a link; its at sign and dots are those of ASCII. */
export const cleanEmail = (typed: string): string =>
  isPlain(typed)
    ? typed.trim().replace(/^mailto:/i, '')
    : withoutMarks(typed)
        .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
        .replace(/[\u3002\uff61]/g, '.')
        .normalize('NFC')
        .replace(/^mailto:/i, '')
