import type { Id } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import { type RawBuilder, sql } from 'kysely'
import { idFrom, uuidOf } from '../ids.ts'

// biome-ignore lint/suspicious/noExplicitAny: pg parses each value by its type, which the field declares
type Row = Readonly<Record<string, any>>

/** The mapping of one property of an entity: its columns, their types, and how they are read and written. */
export interface Field<Value> {
  readonly columns: Readonly<Record<string, string>>
  readonly read: (row: Row) => Value
  /** One value for each column, as in JSON. */
  readonly write: (value: Value) => readonly unknown[]
}

// biome-ignore lint/suspicious/noExplicitAny: a field of any value
type Fields = Readonly<Record<string, Field<any>>>
type Entity<Of extends Fields> = {
  readonly [Key in keyof Of]: Of[Key] extends Field<infer Value> ? Value : never
}

const column = <Value>(name: string, type: string): Field<Value> => ({
  columns: { [name]: type },
  read: (row) => row[name],
  write: (value) => [value],
})

export const text = <Value extends string | null = string>(name: string) => column<Value>(name, 'text')
export const uuid = <Value extends string | null = string>(name: string) => column<Value>(name, 'uuid')
export const int = (name: string) => column<number>(name, 'int')
export const bool = (name: string) => column<boolean>(name, 'boolean')
export const time = <Value extends Date | null = Date>(name: string) => column<Value>(name, 'timestamptz')
export const json = <Value>(name: string) => column<Value>(name, 'jsonb')

export const id = <Prefix extends string>(
  name: string,
  kind: { readonly prefix: Prefix },
): Field<Id<Prefix>> => ({
  columns: { [name]: 'uuid' },
  read: (row) => idFrom(kind, row[name]),
  write: (value) => [uuidOf(value)],
})

/** An amount of money with its currency. */
export const amount = (minor: string, currency: string): Field<Money> => ({
  columns: { [minor]: 'bigint', [currency]: 'text' },
  read: (row) => money(row[minor], row[currency] as Currency),
  write: (value) => [value.minor.toString(), value.currency],
})

/** An amount in the currency of another field of the row. */
export const amountIn = <Value extends Money | null = Money>(
  minor: string,
  currency: string,
): Field<Value> => ({
  columns: { [minor]: 'bigint' },
  read: (row) => (row[minor] === null ? null : money(row[minor], row[currency] as Currency)) as Value,
  write: (value) => [value?.minor.toString()],
})

/** Parts of a statement, as text and for Kysely's sql. */
type Parts<Name extends string> = Readonly<Record<Name, RawBuilder<unknown>>> & {
  readonly text: Readonly<Record<Name, string>>
}

/**
 * The columns of some fields in a batch statement: their names, their definition for json_to_recordset, and the assignments of an update
 * from such a set, called given, without the key.
 */
export interface RecordSet<Value> extends Parts<'names' | 'definition' | 'assignments'> {
  readonly row: (value: Value) => Readonly<Record<string, unknown>>
}

export interface Table<Of extends Fields> extends Parts<'selectList'> {
  /** The type of each column. */
  readonly columns: Readonly<Record<string, string>>
  readonly read: (row: Row) => Entity<Of>
  readonly recordSet: <const Key extends keyof Of & string>(
    keys: readonly Key[],
  ) => RecordSet<Pick<Entity<Of>, Key>>
}

const parts = <Name extends string>(text: Readonly<Record<Name, string>>): Parts<Name> =>
  ({
    text,
    ...Object.fromEntries(Object.entries<string>(text).map(([name, each]) => [name, sql.raw(each)])),
  }) as Parts<Name>

const keyColumns = ['account_id', 'id']

/**
 * The mapping between an entity and its table: each column is named once. Statements select columns by name, because a prepared statement
 * must survive a column that a later release adds.
 */
export function table<const Of extends Fields>(name: string, fields: Of): Table<Of> {
  const entries = Object.entries(fields)
  const columnsOf = (keys: readonly string[]) =>
    keys.flatMap((key) => Object.entries(fields[key]?.columns ?? {}))
  const columns = Object.fromEntries(columnsOf(Object.keys(fields)))
  return {
    ...parts({
      selectList: Object.keys(columns)
        .map((each) => `${name}.${each}`)
        .join(', '),
    }),
    columns,
    read(row) {
      // The order is always the same, so that all entities of a table have one shape in memory.
      const entity: Record<string, unknown> = {}
      for (const [key, field] of entries) entity[key] = field.read(row)
      return entity as Entity<Of>
    },
    recordSet(keys) {
      const named = columnsOf(keys)
      const writers = keys.map((key) => {
        const field = fields[key] as Field<unknown>
        return [key, field, Object.keys(field.columns)] as const
      })
      const names = named.map(([each]) => each)
      const changing = names.filter((each) => !keyColumns.includes(each))
      return {
        ...parts({
          names: names.join(', '),
          definition: named.map(([each, type]) => `${each} ${type}`).join(', '),
          assignments: changing.map((each) => `${each} = given.${each}`).join(', '),
        }),
        row(value) {
          const row: Record<string, unknown> = {}
          for (const [key, field, names] of writers) {
            const written = field.write(value[key])
            for (let nth = 0; nth < names.length; nth += 1) row[names[nth] as string] = written[nth]
          }
          return row
        },
      }
    },
  }
}
