/** A phone number or another number, which a spreadsheet may evaluate: nothing can run, and an apostrophe would change it in other programs. */
const isNumeral = (text: string): boolean => /^[+-]?[\d ().]+$/.test(text)

/** The places at which a spreadsheet may begin a cell: it may split a line at another separator than ours. */
const formulaStart = /(^|[;,\t|\r\n])(?=[ \u00a0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g

/** A text that somebody entered may begin like a formula, which a spreadsheet would run: an apostrophe makes it a text. */
export const neutralText = (text: string): string =>
  isNumeral(text) ? text : text.replace(formulaStart, "$1'")

/** Without this mark Excel reads a CSV file in a legacy code page. */
export const BYTE_ORDER_MARK = '\ufeff'
