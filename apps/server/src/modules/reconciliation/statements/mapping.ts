import { z } from 'zod'

/** A column by its title in the row of titles, or by its number from 1. */
const Column = z.union([z.string().min(1).max(100), z.int().min(1).max(200)])
export type Column = z.infer<typeof Column>
const Texts = z.array(z.string().min(1).max(60)).min(1).max(40)

/**
 * The place of a fact of the whole statement: a cell by its row and column; the cell of a row that begins or has a label in the given column;
 * or a column that repeats it in each line.
 */
const Place = z.union([
  z.strictObject({ row: z.int().min(1).max(10_000), column: z.int().min(1).max(200) }),
  z.strictObject({
    label: z.string().min(1).max(100),
    in: z.int().min(1).max(200).default(1),
    column: z.int().min(1).max(200),
  }),
  z.strictObject({ each: Column }),
])
export type Place = z.infer<typeof Place>

const lineKinds = [
  'charge',
  'refund',
  'fee',
  'tax',
  'reversal',
  'chargeback',
  'payout',
  'transfer',
  'other',
] as const
export const LineKind = z.enum(lineKinds)
export type LineKind = z.infer<typeof LineKind>

/** Where a table has which fact, and in which words: the data of a source of CSV or XLSX files. */
export const Mapping = z.strictObject({
  encoding: z.enum(['utf-8', 'utf-16le', 'windows-1250', 'windows-1251', 'windows-1252']).default('utf-8'),
  separator: z.enum([',', ';', '\t', '|']).default(','),
  /** The sheet of a workbook, from 1. */
  sheet: z.int().min(1).max(100).default(1),
  /** The number of the last row of titles; the rows above it are a preamble. 0: the table has no titles. */
  header: z.int().min(0).max(200).default(1),
  /** Labels of rows that are neither lines nor facts, such as the row below which a footer begins. */
  ignore: z
    .array(z.strictObject({ label: z.string().min(1).max(100), in: z.int().min(1).max(200).default(1) }))
    .max(20)
    .default([]),
  /** A row without a date continues the details of the row before it. */
  continued: z.boolean().default(false),
  decimal: z.enum(['.', ',']).default('.'),
  thousands: z.enum(['', ' ', ',', '.', "'"]).default(''),
  dateOrder: z.enum(['YMD', 'DMY', 'MDY']),
  /** The first of these columns that is not empty. */
  bookedOn: z.array(Column).min(1).max(3),
  /** A column that has the time alone. */
  time: Column.optional(),
  valueOn: Column.optional(),
  amount: z.union([
    z.strictObject({ column: Column, debits: z.enum(['negative', 'positive']).default('negative') }),
    z.strictObject({
      credit: Column,
      debit: Column,
      debits: z.enum(['negative', 'positive']).default('positive'),
    }),
    z.strictObject({ column: Column, indicator: Column, creditWords: Texts, debitWords: Texts }),
  ]),
  /** Whether the amount is before or after the fee and the tax of its line. */
  amountIs: z.enum(['net', 'gross']).default('net'),
  fee: Column.optional(),
  tax: Column.optional(),
  /** The words of a column for each kind of line. Other words are of the kind "other". */
  kind: z.strictObject({ column: Column, words: z.partialRecord(LineKind, Texts) }).optional(),
  /** Rows with another word can not be read. */
  status: z.strictObject({ column: Column, booked: Texts, skipped: Texts.optional() }).optional(),
  /** Columns that are one reference together. */
  reference: z.array(Column).max(3).default([]),
  /** Only this word of the reference, from 1. */
  referenceWord: z.int().min(1).max(20).optional(),
  ourReference: Column.optional(),
  details: z.array(Column).max(5).default([]),
  balance: z.strictObject({ column: Column, countsSkipped: z.boolean().default(false) }).optional(),
  order: z.enum(['oldest first', 'newest first']).default('oldest first'),
  facts: z
    .strictObject({
      opening: Place,
      closing: Place,
      credits: Place,
      debits: Place,
      lines: Place,
      account: Place,
      currency: Place,
      number: Place,
      startsOn: Place,
      endsOn: Place,
    })
    .partial()
    .default({}),
})
export type Mapping = z.infer<typeof Mapping>

const Id = z.string().regex(/^[a-z0-9-]{1,40}$/, 'has small letters, digits and hyphens, at most 40')
const Currency = z
  .string()
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'is the code of a currency, as USD')
const Zone = z
  .string()
  .refine(
    (zone) => zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone),
    'is a time zone, as Africa/Harare',
  )
const shared = { currency: Currency, timeZone: Zone.default('Africa/Harare') }
const table = { format: z.enum(['csv', 'xlsx']), mapping: Mapping }
const camt = { format: z.literal('camt.053') }
const bank = {
  ...shared,
  kind: z.literal('bank'),
  bankAccount: z.strictObject({
    id: Id,
    number: z.string().min(1).max(40),
    bic: z
      .string()
      .regex(/^[A-Z0-9]{8}([A-Z0-9]{3})?$/)
      .optional(),
    branchCode: z
      .string()
      .regex(/^\d{1,12}$/)
      .optional(),
  }),
}
const provider = {
  ...shared,
  kind: z.enum(['provider', 'batches']),
  /** The ledger's account clearing.PROVIDER. */
  provider: Id,
  accountNumber: z.string().min(1).max(40).optional(),
}

/** A source of statements as an operator writes it. */
export const SourceDefinition = z.union([
  z.strictObject({ ...bank, ...table }),
  z.strictObject({ ...bank, ...camt }),
  z.strictObject({ ...provider, ...table }),
  z.strictObject({ ...provider, ...camt }),
])
export type SourceDefinition = z.infer<typeof SourceDefinition>
