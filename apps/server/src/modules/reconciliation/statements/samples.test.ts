import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { importStatement, linesOf, setSource } from '../index.ts'
import { decimalText, readAmount } from './amounts.ts'
import { SourceDefinition } from './mapping.ts'
import { StatementRefused } from './statement.ts'

/** Files of banks and acquirers that are not a part of this repository, each with `FILE.expected.json`. */
const samples =
  process.env.STATEMENT_SAMPLES ??
  path.resolve(import.meta.dirname, '../../../../../../../shared/samples/statements')

interface ExpectedLine {
  readonly booked: string
  readonly amount: string
  readonly servicer_reference: string | null
}

interface Expected {
  readonly outcome: string
  readonly statements?: readonly {
    readonly opening: string
    readonly closing: string
    readonly entries: number
    readonly details: number
    readonly lines: readonly ExpectedLine[]
  }[]
}

interface Sample {
  readonly source: object
  readonly typed?: Readonly<Record<'opening' | 'closing', string>> | Readonly<{ opening: string }>
  /** The text of the refusal. */
  readonly says?: RegExp
  /** Opening, closing and number of lines. */
  readonly is?: readonly (readonly [string, string, number])[]
  readonly after?: string
}

const camt = (currency: string, number: string) => ({
  kind: 'bank',
  currency,
  format: 'camt.053',
  bankAccount: { id: `bank-${number.replaceAll(' ', '').slice(-6).toLowerCase()}`, number },
})
const table = (currency: string, number: string, mapping: object, format = 'csv') => ({
  ...camt(currency, number),
  format,
  mapping,
})

const ocbc = table('SGD', '666-666666-666', {
  header: 6,
  thousands: ',',
  dateOrder: 'DMY',
  continued: true,
  bookedOn: ['Transaction date'],
  valueOn: 'Value date',
  amount: { debit: 'Withdrawals (SGD)', credit: 'Deposits (SGD)' },
  details: ['Description'],
  order: 'newest first',
  facts: { account: { row: 1, column: 2 }, closing: { label: 'Ledger Balance', column: 2 } },
})
const belfius = table('EUR', 'BE25 1548 2158 2158', {
  separator: ';',
  header: 13,
  decimal: ',',
  thousands: '.',
  dateOrder: 'DMY',
  bookedOn: ['Boekingsdatum'],
  valueOn: 'Valutadatum',
  amount: { column: 'Bedrag' },
  reference: ['Afschriftnummer', 'Transactienummer'],
  details: ['Transactie'],
  facts: {
    account: { each: 'Rekening' },
    currency: { each: 'Devies' },
    closing: { label: 'Laatste saldo', column: 2 },
  },
})
const alfabank = (encoding: string) =>
  table('RUB', '11111111111111111111', {
    encoding,
    separator: ';',
    decimal: ',',
    dateOrder: 'DMY',
    bookedOn: ['Дата операции'],
    amount: { credit: 'Приход', debit: 'Расход' },
    reference: ['Референс проводки'],
    details: ['Описание операции'],
    order: 'newest first',
    facts: { account: { each: 'Номер счета' }, currency: { each: 'Валюта' } },
  })

const all: Readonly<Record<string, Sample | readonly Sample[]>> = {
  'camt052-02-looks-complete.xml': {
    source: camt('EUR', 'DE00000000000000000000'),
    says: /camt\.052\.001\.02 is an intraday report, not a statement/,
  },
  'camt053-02-cut-batch.xml': {
    source: camt('EUR', 'NL18INGB00012345678'),
    says: /announces 35 entries and has 3.* lead from 7329\.80 to 10264\.06, .* 23038\.20: difference 12774\.14/,
  },
  'camt053-02-equal-amounts.xml': { source: camt('EUR', 'LT000000000000000000') },
  'camt053-02-equal-lines-no-balances.xml': [
    { source: camt('EUR', 'DE89370400440532013000'), says: /no opening and no closing balance/ },
    {
      source: camt('EUR', 'DE89370400440532013000'),
      typed: { opening: '109.00', closing: '100.00' },
      is: [['109.00', '100.00', 2]],
    },
  ],
  'camt053-02-two-statements.xml': { source: camt('EUR', 'NL26VAYB8060476890') },
  'camt053-04-batch-two-details.xml': { source: camt('CHF', 'CH1111000000123456789') },
  'camt053-04-zoned-dates.xml': { source: camt('CHF', 'CH9300000000000000001') },
  'camt053-08-other-id.xml': { source: camt('CHF', '0000-1234567-10-000') },
  'camt054-04-batch-charge.xml': {
    source: camt('CHF', 'CH2909000000250094239'),
    says: /camt\.054\.001\.04 is an advice, not a statement/,
  },
  'pain002-ch-partly.xml': { source: camt('CHF', '1'), says: /pain\.002 .* is not a statement/ },
  'csv-adyen-batch-carried.csv': {
    source: {
      kind: 'batches',
      provider: 'adyen',
      currency: 'USD',
      format: 'csv',
      mapping: {
        dateOrder: 'YMD',
        bookedOn: ['Creation Date'],
        amount: { credit: 'Net Credit (NC)', debit: 'Net Debit (NC)' },
        kind: {
          column: 'Type',
          words: { fee: ['Fee'], payout: ['MerchantPayout'], transfer: ['Balancetransfer'] },
        },
        reference: ['Psp Reference'],
        details: ['Modification Reference'],
        facts: { currency: { each: 'Net Currency' }, number: { each: 'Batch Number' } },
      },
    },
    is: [['0.00', '0.00', 3]],
  },
  'csv-alfabank-windows1251.csv': [
    { source: alfabank('utf-8'), says: /not in the encoding utf-8: name its encoding/ },
    { source: alfabank('windows-1251'), says: /currency RUR is not .* RUB/ },
  ],
  'csv-belfius-preamble.csv': [
    { source: belfius, says: /no opening balance.* lead to 1617\.97 from 432\.31/ },
    { source: belfius, typed: { opening: '432.31' }, is: [['432.31', '1617.97', 2]] },
    { source: belfius, typed: { opening: '432.30' }, says: /difference 0\.01/ },
  ],
  'csv-ocbc-continued-rows.csv': [
    { source: ocbc, says: /no opening balance.* lead to 6666\.66 from 6839\.94/ },
    { source: ocbc, typed: { opening: '6839.94' }, is: [['6839.94', '6666.66', 8]] },
  ],
  'csv-stanbic-zambia.csv': {
    source: table('ZMW', '1', {
      header: 3,
      decimal: ',',
      thousands: ' ',
      dateOrder: 'DMY',
      bookedOn: [1, 2],
      valueOn: 2,
      amount: { debit: 5, credit: 6 },
      balance: { column: 7 },
      reference: [3],
      referenceWord: 1,
      details: [3],
      facts: {
        opening: { label: 'Opening balance', in: 3, column: 7 },
        closing: { label: 'Closing balance', in: 3, column: 7 },
        debits: { label: 'Debits', column: 2 },
        credits: { label: 'Credits', column: 2 },
      },
    }),
    says: /^The printed sum of credits is 0\.00, and the lines sum to 100\.00\.$/,
  },
  'xlsx-balances-differ.xlsx': {
    source: table(
      'EUR',
      '08088804068',
      {
        header: 5,
        decimal: ',',
        dateOrder: 'DMY',
        bookedOn: ['Date'],
        amount: { debit: 'Debit', credit: 'Credit', debits: 'negative' },
        reference: ['Operation Number'],
        details: ['Label', 'Detail'],
        facts: {
          account: { row: 2, column: 1 },
          opening: { label: 'Balance at start of period', column: 5 },
          closing: { label: 'Balance at end of period', column: 5 },
        },
      },
      'xlsx',
    ),
    says: /lead from 30000\.77 to 31070\.09, but the closing balance is 31070\.11: difference 0\.02/,
  },
  'broken/1-cut-in-the-middle.xml': {
    source: camt('CHF', 'CH9300000000000000001'),
    says: /not complete .*: line 254, column \d+: .* Domn/,
  },
  'broken/4-gap-to-the-previous.xml': {
    source: camt('CHF', '0000-1234567-10-000'),
    after: 'camt053-08-other-id.xml',
    says: /opening balance 2200\.00 does not continue the last closing balance 2116\.31 \(2023-01-25, number 12\): difference 83\.69.*Number 13 is missing/,
  },
  'broken/6-wrong-account.xml': {
    source: camt('EUR', 'LT000000000000000000'),
    says: /LT990000000000000001 is not the account of this source, which is LT000000000000000000/,
  },
  'broken/9-billion-laughs.xml': {
    source: camt('EUR', '1'),
    says: /^A DOCTYPE is not allowed in a statement\.$/,
  },
}

const cases = Object.entries(all).flatMap(([file, samplesOfFile]) =>
  [samplesOfFile].flat().map((sample, index) => [`${file} ${index + 1}`, file, sample as Sample] as const),
)

const operator = operatorActor('till', 'counter')
const test = base.extend('importFile', async ({ ctx }) => {
  const source = `sample-${ctx.ids.bytes(6).toString('hex')}`
  return async (definition: object, file: string, typed: Readonly<Record<string, string>> = {}) => {
    const parsed = SourceDefinition.parse(definition)
    await setSource(ctx, operator, source, parsed)
    const amount = (text: string | undefined) =>
      text === undefined
        ? undefined
        : readAmount(text, { decimal: '.', thousands: '', currency: parsed.currency })
    const [openingMinor, closingMinor] = [amount(typed.opening), amount(typed.closing)]
    const { statements } = await importStatement(
      ctx,
      operator,
      { path: path.join(samples, file), name: path.basename(file) },
      source,
      {
        ...(openingMinor !== undefined && { openingMinor }),
        ...(closingMinor !== undefined && { closingMinor }),
      },
    )
    const lines = await Promise.all(statements.map(({ id }) => linesOf(ctx.db.kysely, id, 100)))
    const summaries = statements.map(
      ({ openingMinor: opening, closingMinor: closing, lines, status, currency }) => {
        expect(status).toBe('read')
        return [decimalText(opening, currency), decimalText(closing, currency), lines] as const
      },
    )
    return { summaries, lines }
  }
})

// The files are in a folder beside the repository, or in the one of STATEMENT_SAMPLES; statements.test.ts has own files of the same kinds.
test.skipIf(!existsSync(samples)).for(cases)(
  '%s',
  async ([, file, { source, typed, says, is, after }], { importFile }) => {
    if (after !== undefined) await importFile(source, after)
    const imported = importFile(source, file, typed)
    if (says) {
      const error = await imported.then(
        () => null,
        (refused: unknown) => refused,
      )
      expect(error).toBeInstanceOf(StatementRefused)
      expect((error as Error).message).toMatch(says)
      return
    }
    const expected = JSON.parse(readFileSync(path.join(samples, `${file}.expected.json`), 'utf8')) as Expected
    const ofFile = expected.statements?.map(({ opening, closing, entries, details }) => [
      opening,
      closing,
      Math.max(entries, details),
    ])
    const { summaries, lines } = await imported
    expect(summaries).toEqual(is ?? ofFile)
    for (const [index, statement] of (expected.statements ?? []).entries()) {
      // The details of an entry are lines of their own.
      if (statement.details > statement.entries) continue
      // Where the entry has no reference of the bank, the line has that of its detail.
      expect(
        lines[index]?.map(({ bookedOn, netMinor, reference }, at) => [
          bookedOn,
          Number(netMinor) / 100,
          statement.lines[at]?.servicer_reference == null ? null : reference,
        ]),
      ).toEqual(
        statement.lines.map((line) => [
          line.booked.slice(0, 10),
          Number(line.amount),
          line.servicer_reference,
        ]),
      )
    }
  },
)

test.skipIf(!existsSync(samples))('every file of the folder is in this test', () => {
  const files = [samples, path.join(samples, 'broken')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.expected.json'))
      .map((name) => path.relative(samples, path.join(folder, name.replace('.expected.json', '')))),
  )
  expect(Object.keys(all).toSorted()).toEqual(files.toSorted())
})
