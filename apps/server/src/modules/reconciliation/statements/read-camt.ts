import { ParseOption, XmlDocument, XmlElement, XmlParseError } from 'libxml2-wasm'
import { readAmount, Unreadable } from './amounts.ts'
import { readMoment } from './dates.ts'
import {
  checkAccount,
  checkCurrency,
  type PrintedTotal,
  type SourceAccount,
  type StatementHead,
  type StatementLine,
  type StatementPart,
  StatementRefused,
  storedText,
} from './statement.ts'

/** The library holds a document in memory. */
const MOST_BYTES = 25_000_000
const namespace = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[234])\.001\.(\d\d)$/
const versions = ['02', '04', '08']
const otherMessages: Readonly<Record<string, string>> = {
  'camt.052': 'an intraday report',
  'camt.054': 'an advice',
}

/** Reads the statements of a camt.053 file, in versions .02, .04 and .08, which differ in few elements. */
export function* readCamt(file: Buffer, source: SourceAccount): Generator<StatementPart> {
  if (file.length > MOST_BYTES)
    throw new StatementRefused(`A camt.053 file has at most ${MOST_BYTES / 1e6} MB.`)
  // A statement needs no DOCTYPE, and its entities can be made to fill the memory or to read other files.
  if (file.includes('<!DOCTYPE') || file.includes('<!ENTITY'))
    throw new StatementRefused('A DOCTYPE is not allowed in a statement.')
  const document = parsed(file)
  try {
    if (document.dtd !== null) throw new StatementRefused('A DOCTYPE is not allowed in a statement.')
    const statements = all(child(rootOf(document), 'BkToCstmrStmt'), 'Stmt')
    if (statements.length === 0) throw new StatementRefused('The file has no statement (Stmt).')
    for (const statement of statements) yield* readStatement(statement, source)
  } finally {
    document.dispose()
  }
}

function parsed(file: Buffer): XmlDocument {
  try {
    return XmlDocument.fromBuffer(file, {
      option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_BIG_LINES,
    })
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error
    const [{ message, line, col } = { message: error.message, line: 0, col: 0 }] = error.details
    const text = message.trim()
    throw new StatementRefused(
      `The file is not complete or not well-formed XML: line ${line}, column ${col}: ${text}.`,
    )
  }
}

function rootOf(document: XmlDocument): XmlElement {
  const { root } = document
  const [, message, version = ''] = namespace.exec(root.namespaceUri) ?? []
  if (message === undefined || root.name !== 'Document') {
    const status = root.namespaceUri.includes('pain.002')
      ? ' pain.002 reports the state of payments and is not a statement.'
      : ''
    throw new StatementRefused(
      `The file is not a camt.053 statement: its root is ${root.name} in the namespace "${storedText(root.namespaceUri, 100) ?? ''}".${status}`,
    )
  }
  const other = otherMessages[message]
  if (other !== undefined)
    throw new StatementRefused(`${message}.001.${version} is ${other}, not a statement.`)
  if (!versions.includes(version))
    throw new StatementRefused(
      `camt.053.001.${version} is not one of the versions that can be read: ${versions.join(', ')}.`,
    )
  return root
}

function* readStatement(statement: XmlElement, source: SourceAccount): Generator<StatementPart> {
  const account = child(child(statement, 'Acct'), 'Id')
  checkAccount(textOf(find(account, 'IBAN') ?? child(child(account, 'Othr'), 'Id')), source)
  const currency = find(statement, 'Acct', 'Ccy')
  if (currency) checkCurrency(textOf(currency), source)
  if (find(statement, 'StmtPgntn', 'LastPgInd')?.content.trim() === 'false')
    throw new StatementRefused('The file is one page of a statement of several: get the whole statement.')
  let number = 0
  for (const entry of all(statement, 'Ntry')) {
    const read = readEntry(entry, source, number + 1)
    if (read.length > 0) number += 1
    for (const line of read) yield { is: 'line', line }
  }
  yield { is: 'end', head: headOf(statement, source) }
}

function headOf(statement: XmlElement, source: SourceAccount): StatementHead {
  const balances = all(statement, 'Bal').map((balance) => ({
    code: find(balance, 'Tp', 'CdOrPrtry', 'Cd')?.content.trim(),
    minor: signed(balance, source),
    day: dayOf(child(balance, 'Dt')),
    line: balance.line,
  }))
  const of = (codes: readonly string[]) => {
    const [one, ...others] = balances.filter(({ code }) => code !== undefined && codes.includes(code))
    const differs = others.find(({ minor }) => minor !== one?.minor)
    if (differs)
      throw new StatementRefused(`Line ${differs.line}: the balances of ${codes.join(' and ')} differ.`)
    return one
  }
  // The closing balance of the statement before it is the opening balance too.
  const [opening, closing] = [of(['OPBD', 'PRCD']), of(['CLBD'])]
  const [from, to] = ['FrDtTm', 'ToDtTm'].map((name) => {
    const element = find(statement, 'FrToDt', name)
    return element ? moment(element).day : null
  })
  const total = (name: string): PrintedTotal | null => {
    const element = find(statement, 'TxsSummry', name)
    if (!element) return null
    const [entries, sum] = [find(element, 'NbOfNtries'), find(element, 'Sum')]
    return {
      entries: entries ? Number(textOf(entries)) : null,
      minor: sum ? amountIn(sum, source) : null,
    }
  }
  // Some banks print a period that is not the one of the balances.
  const isPeriod = closing !== undefined && to === closing.day
  return {
    number: storedText((find(statement, 'ElctrncSeqNb') ?? find(statement, 'LglSeqNb'))?.content ?? '', 60),
    startsOn: isPeriod ? (from ?? null) : null,
    openingOn: opening?.day ?? null,
    endsOn: closing?.day ?? to ?? null,
    openingMinor: opening?.minor ?? null,
    closingMinor: closing?.minor ?? null,
    credits: total('TtlCdtNtries'),
    debits: total('TtlDbtNtries'),
    all: total('TtlNtries'),
  }
}

/** One line for each detail of an entry where they sum to the entry, or else one for the entry; none for an entry that is not booked. */
function readEntry(entry: XmlElement, source: SourceAccount, number: number): StatementLine[] {
  const status = find(entry, 'Sts', 'Cd') ?? child(entry, 'Sts')
  if (['PDNG', 'INFO', 'FUTR'].includes(textOf(status))) return []
  if (textOf(status) !== 'BOOK') throw broken(status, 'is not a status of an entry')
  const booked = moment(child(entry, 'BookgDt'))
  const value = find(entry, 'ValDt')
  const line = {
    row: entry.line,
    entry: number,
    bookedOn: booked.day,
    time: booked.time,
    valueOn: value ? dayOf(value) : null,
    kind: 'other',
    ourReference: null,
    feeMinor: 0n,
    taxMinor: 0n,
    balanceMinor: null,
  } as const
  const netMinor = signed(entry, source)
  const details = all(entry, 'NtryDtls').flatMap((part) => all(part, 'TxDtls'))
  const reference = find(entry, 'AcctSvcrRef')?.content ?? ''
  const amounts = details.map((detail) => detailAmount(detail, source))
  if (details.length > 1 && amounts.reduce<bigint | null>(sum, 0n) === netMinor)
    return details.map((detail, index) => ({
      ...line,
      netMinor: amounts[index] ?? 0n,
      reference: storedText(find(detail, 'Refs', 'AcctSvcrRef')?.content ?? reference, 140),
      ourReference: ourReferenceOf(detail),
      details: remittanceOf(detail),
    }))
  const [only] = details.length === 1 ? details : []
  const text = [only ? remittanceOf(only) : null, find(entry, 'AddtlNtryInf')?.content]
    .filter(Boolean)
    .join(' ')
  return [
    {
      ...line,
      netMinor,
      reference: storedText(reference || (only && find(only, 'Refs', 'AcctSvcrRef')?.content) || '', 140),
      ourReference: only ? ourReferenceOf(only) : null,
      details: storedText(text, 500),
    },
  ]
}

const sum = (total: bigint | null, each: bigint | null): bigint | null =>
  total === null || each === null ? null : total + each

/** Null for a detail without an amount, or with one in another currency. */
function detailAmount(detail: XmlElement, source: SourceAccount): bigint | null {
  const amount = find(detail, 'Amt') ?? find(detail, 'AmtDtls', 'TxAmt', 'Amt')
  const isDebit = find(detail, 'CdtDbtInd')
  if (!amount || !isDebit || amount.attr('Ccy')?.value !== source.currency) return null
  const minor = amountIn(amount, source)
  return isDebitIn(isDebit) ? -minor : minor
}

function ourReferenceOf(detail: XmlElement): string | null {
  const text = find(detail, 'Refs', 'EndToEndId')?.content.trim() ?? ''
  return text === 'NOTPROVIDED' ? null : storedText(text, 140)
}

const remittanceOf = (detail: XmlElement): string | null =>
  storedText(
    all(detail, 'RmtInf')
      .flatMap((part) => all(part, 'Ustrd'))
      .map(({ content }) => content)
      .join(' '),
    500,
  )

/** A reversal is printed with the sign that it has: RvslInd does not flip it. */
function signed(element: XmlElement, source: SourceAccount): bigint {
  const amount = child(element, 'Amt')
  const currency = amount.attr('Ccy')?.value ?? ''
  if (currency !== source.currency)
    throw broken(amount, `is in ${currency || 'no currency'} and not in ${source.currency}`)
  const minor = amountIn(amount, source)
  return isDebitIn(child(element, 'CdtDbtInd')) ? -minor : minor
}

function isDebitIn(indicator: XmlElement): boolean {
  const text = textOf(indicator)
  if (text !== 'CRDT' && text !== 'DBIT') throw broken(indicator, 'is neither CRDT nor DBIT')
  return text === 'DBIT'
}

function amountIn(element: XmlElement, { currency }: SourceAccount): bigint {
  const text = textOf(element)
  // ISO 20022 has no sign, no separator and no code in an amount.
  if (!/^\d{1,17}(\.\d{1,5})?$/.test(text)) throw broken(element, 'is not an amount')
  return orBroken(element, () => readAmount(text, { decimal: '.', thousands: '', currency }))
}

/** The day or time in an element; the printed day counts, whatever its zone. */
function moment(element: XmlElement) {
  const inner = find(element, 'Dt') ?? find(element, 'DtTm') ?? element
  return orBroken(inner, () => readMoment(textOf(inner), 'YMD'))
}

const dayOf = (element: XmlElement): string => moment(element).day

function orBroken<Value>(element: XmlElement, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) throw broken(element, `cannot be read: ${error.message}`)
    throw error
  }
}

const broken = (element: XmlElement, because: string): StatementRefused =>
  new StatementRefused(
    `Line ${element.line}: ${element.name} "${storedText(element.content, 60) ?? ''}" ${because}.`,
  )

function all(parent: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = []
  for (let node = parent.firstChild; node !== null; node = node.next)
    if (node instanceof XmlElement && node.name === name) found.push(node)
  return found
}

function find(parent: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  let element: XmlElement | undefined = parent
  for (const name of names) element = element && all(element, name)[0]
  return element
}

function child(parent: XmlElement, name: string): XmlElement {
  const found = find(parent, name)
  if (!found) throw new StatementRefused(`Line ${parent.line}: ${parent.name} has no ${name}.`)
  return found
}

const textOf = (element: XmlElement): string => element.content.trim()
