import { strToU8, Zip, ZipDeflate } from 'fflate'

/** The most rows of a workbook that is built in a browser. */
export const MOST_ROWS = 100_000

interface Cell {
  readonly text: string
  /** A quoted cell is a text; any other one is a number or a time. */
  readonly isText: boolean
}

/** Reads the records of a CSV file in chunks of any size. */
export function createRecordReader(onRecord: (cells: readonly Cell[]) => void): (text: string) => void {
  let cells: Cell[] = []
  let text = ''
  let isText = false
  let quoted = false
  const endCell = () => {
    cells.push({ text, isText })
    text = ''
    isText = false
  }
  return (chunk) => {
    for (const letter of chunk) {
      if (letter === '"') {
        // The second quote of a pair is a letter of the text.
        if (!quoted && isText) text += '"'
        quoted = !quoted
        isText = true
      } else if (quoted) text += letter
      else if (letter === ',') endCell()
      else if (letter === '\n') {
        endCell()
        onRecord(cells)
        cells = []
      } else if (letter !== '\r') text += letter
    }
  }
}

const styles = { plain: 0, head: 1, amount: 2, date: 3, time: 4, moment: 5 } as const

const DAY_MS = 24 * 3_600_000
/** The day 0 of a workbook. */
const EPOCH = Date.UTC(1899, 11, 30)
const serialOf = (iso: string): number => (Date.parse(iso) - EPOCH) / DAY_MS

const xmlText = (text: string): string =>
  text
    // A workbook reads _x0041_ as a letter.
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters cannot be in XML
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')

const number = (value: number | string, style: keyof typeof styles): string =>
  `<c s="${styles[style]}"><v>${value}</v></c>`

/** A text in a cell of its type is never a formula. */
function xmlCell({ text, isText }: Cell, style: 'plain' | 'head'): string {
  if (text === '') return '<c/>'
  if (!isText && /^-?\d+(\.\d+)?$/.test(text)) return number(text, 'amount')
  if (!isText && /^\d{4}-\d\d-\d\d$/.test(text)) return number(serialOf(text), 'date')
  if (!isText && /^\d\d:\d\d:\d\d$/.test(text)) return number(serialOf(`1899-12-30T${text}Z`), 'time')
  if (!isText && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text))
    return number(serialOf(`${text.replace(' ', 'T')}Z`), 'moment')
  return `<c s="${styles[style]}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const sheetHead = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="30" width="16" customWidth="1"/></cols><sheetData>`
const sheetEnd = '</sheetData></worksheet>'
const xf = (format: number, font = 0) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
const stylesXml = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="hh:mm:ss"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${xf(0)}${xf(0, 1)}${xf(4)}${xf(164)}${xf(165)}${xf(166)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
const relationship = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`

/** The parts of a workbook beside its sheets, by their paths. */
function partsOf(sheets: readonly string[]): Record<string, string> {
  const each = (write: (name: string, number: number) => string) =>
    sheets.map((name, index) => write(name, index + 1)).join('')
  return {
    'xl/styles.xml': stylesXml,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((_, n) => relationship(n, 'worksheet', `worksheets/sheet${n}.xml`))}${relationship(sheets.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relationship(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${each((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)}</Types>`,
  }
}

/** Rows are compressed in portions of about this length. */
const PORTION_LENGTH = 64 * 1024

/**
 * Writes a workbook from the bytes of an exported CSV file. Rows are compressed as they come, so that only the compressed file is in memory.
 * The rows after an empty one are on a sheet of their own, below the same head.
 * @throws RangeError for more than `MOST_ROWS` rows
 */
export function createWorkbook(firstSheet: string) {
  const content: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    content.push(bytes as Uint8Array<ArrayBuffer>)
  })
  const sheets: string[] = []
  let sheet: ZipDeflate | null = null
  let xml = ''
  let head: readonly Cell[] | null = null
  let rows = 0

  const flush = (isEnd = false) => {
    sheet?.push(strToU8(xml), isEnd)
    xml = ''
  }
  const addRow = (cells: readonly Cell[], style: 'plain' | 'head' = 'plain') => {
    xml += `<row>${cells.map((cell) => xmlCell(cell, style)).join('')}</row>`
    if (xml.length > PORTION_LENGTH) flush()
  }
  const endSheet = () => {
    xml += sheetEnd
    flush(true)
  }
  const beginSheet = (name: string, titles: readonly Cell[]) => {
    sheets.push(name)
    sheet = new ZipDeflate(`xl/worksheets/sheet${sheets.length}.xml`)
    zip.add(sheet)
    xml = sheetHead
    addRow(titles, 'head')
  }
  const read = createRecordReader((cells) => {
    if (head === null) {
      head = cells
      beginSheet(firstSheet, head)
    } else if (cells.length === 1 && cells[0]?.text === '') {
      endSheet()
      beginSheet('Totals', head)
    } else {
      rows += 1
      if (rows > MOST_ROWS) throw new RangeError('the workbook is full')
      addRow(cells)
    }
  })
  const decoder = new TextDecoder()
  return {
    add: (bytes: Uint8Array): void => read(decoder.decode(bytes, { stream: true })),
    end(): Blob {
      endSheet()
      for (const [path, part] of Object.entries(partsOf(sheets))) {
        const file = new ZipDeflate(path)
        zip.add(file)
        file.push(strToU8(part), true)
      }
      zip.end()
      return new Blob(content, { type: `${TYPE}.sheet` })
    },
  }
}
