import type { AccountId, Id } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { idFrom, uuidOf } from '../ids.ts'
import type { DB } from './schema.ts'

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

/** A field of the type that its declaration names. Without it, the context of the declaration would make the type `any`. */
type Declared<Value> = Field<NoInfer<Value>>

const column = <Value>(name: string, type: string): Declared<Value> => ({
  columns: { [name]: type },
  read: (row) => row[name],
  write: (value) => [value],
})

export const text = <Value extends string | null = string>(name: string) => column<Value>(name, 'text')
export const uuid = <Value extends string | null = string>(name: string) => column<Value>(name, 'uuid')
export const int = <Value extends number | null = number>(name: string) => column<Value>(name, 'int')
export const bool = (name: string) => column<boolean>(name, 'boolean')
export const bigint = (name: string) => column<bigint>(name, 'bigint')
export const time = <Value extends Date | null = Date>(name: string) => column<Value>(name, 'timestamptz')
export const json = <Value>(name: string) => column<Value>(name, 'jsonb')
/** An array of texts. */
export const texts = <Value extends string = string>(name: string) => column<readonly Value[]>(name, 'text[]')
/** Not for a record set: JSON has no bytes. */
export const bytes = <Value extends Buffer | null = Buffer>(name: string) => column<Value>(name, 'bytea')

/** A value that statements of its own write. */
export const readOnly = <Value>(
  columns: Readonly<Record<string, string>>,
  read: (row: Row) => Value,
): Field<Value> => ({
  columns,
  read,
  write: () => {
    throw new Error(`${Object.keys(columns)} are read only`)
  },
})

/** Whether a column has a value. */
export const isSet = (name: string, type: string): Field<boolean> =>
  readOnly({ [name]: type }, (row) => row[name] !== null)

export const id = <Prefix extends string>(
  name: string,
  kind: { readonly prefix: Prefix },
): Field<Id<Prefix>> => ({
  columns: { [name]: 'uuid' },
  read: (row) => idFrom(kind, row[name]),
  write: (value) => [uuidOf(value)],
})

export const idOrNull = <Prefix extends string>(
  name: string,
  kind: { readonly prefix: Prefix },
): Field<Id<Prefix> | null> => ({
  columns: { [name]: 'uuid' },
  read: (row) => row[name] && idFrom(kind, row[name]),
  write: (value) => [value && uuidOf(value)],
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
): Declared<Value> => ({
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
  /** A statement that inserts the rows of a relation. */
  readonly insertFrom: (given: string) => string
}

/** The columns that one row of a change names, and the update of rows by such changes. */
export interface Changes<Value> {
  readonly definition: string
  /** The key of a row and its changed columns. The others keep their values. */
  readonly row: (key: { readonly accountId: AccountId; readonly id: Id<string> }, change: Value) => object
  /** A statement that changes the rows of a relation, called `kept`. */
  readonly updateFrom: (given: string, also?: string) => string
}

export type ChangeOf<Of> = Of extends Changes<infer Value> ? Value : never

type Columns<Name> = Name extends keyof DB ? DB[Name] : Readonly<Record<string, unknown>>

/** Some fields of a table, for reading. */
export interface View<Of extends Fields, Name extends string> extends Parts<'selectList'> {
  /** The columns for a query of Kysely. The type of its rows then has all columns of the table. */
  readonly names: readonly (keyof Columns<Name> & string)[]
  readonly read: (row: Row) => Entity<Of>
  /** The same from a row that the database has written as JSON. */
  readonly readJson: (row: Row) => Entity<Of>
}

export interface Table<Of extends Fields, All extends Fields, Name extends string> extends View<Of, Name> {
  readonly name: Name
  /** The type of each column. */
  readonly columns: Readonly<Record<string, string>>
  readonly view: <const Key extends keyof All & string>(
    keys: readonly Key[],
  ) => View<Readonly<Pick<All, Key>>, Name>
  /** @param keys absent for the fields of the entity */
  readonly recordSet: <const Key extends keyof All & string = keyof Of & keyof All & string>(
    keys?: readonly Key[],
  ) => RecordSet<Pick<Entity<All>, Key>>
  readonly changes: <const Key extends keyof All & string>(
    keys: readonly Key[],
  ) => Changes<Partial<Pick<Entity<All>, Key>>>
  /** The columns of one row for Kysely, from those fields that the values have. */
  readonly row: (values: Partial<Entity<All>>) => Insertable<Columns<Name>>
}

/** The entity of a table or a view. */
export type EntityOf<Of extends { readonly read: (row: Row) => unknown }> = ReturnType<Of['read']>

const parts = <Name extends string>(text: Readonly<Record<Name, string>>): Parts<Name> =>
  ({
    text,
    ...Object.fromEntries(Object.entries<string>(text).map(([name, each]) => [name, sql.raw(each)])),
  }) as Parts<Name>

const keyColumns = ['account_id', 'id']

/** Values that JSON has as a number or a text. No amount comes near the integers that a number cannot hold. */
const jsonParsers: Readonly<Record<string, (value: never) => unknown>> = {
  bigint: (value: number) => BigInt(value),
  timestamptz: (value: string) => new Date(value),
}

type Values = Readonly<Record<string, unknown>>

/** Reads and writes the entities of some fields. */
function mapping(fields: Fields) {
  const entries = Object.entries(fields)
  const writers = entries.map(([key, field]) => [key, field, Object.keys(field.columns)] as const)
  const write = (values: Values, isPartial: boolean): Record<string, unknown> => {
    const row: Record<string, unknown> = {}
    for (const [key, field, names] of writers) {
      if (isPartial && values[key] === undefined) continue
      const written = field.write(values[key])
      for (let nth = 0; nth < names.length; nth += 1) row[names[nth] as string] = written[nth]
    }
    return row
  }
  const columns = entries.flatMap(([, field]) => Object.entries(field.columns))
  const parsers = columns.flatMap(([name, type]) => {
    const parse = jsonParsers[type]
    return parse ? [[name, parse as (value: unknown) => unknown] as const] : []
  })
  function parsed(row: Row): Row {
    const result: Record<string, unknown> = { ...row }
    for (const [name, parse] of parsers) if (row[name] !== null) result[name] = parse(row[name])
    return result
  }
  function read(row: Row) {
    // The order is always the same, so that all entities of a table have one shape in memory.
    const entity: Record<string, unknown> = {}
    for (const [key, field] of entries) entity[key] = field.read(row)
    return entity
  }
  return {
    columns,
    read,
    readJson: (row: Row) => read(parsed(row)),
    write: (values: Values) => write(values, false),
    /** The columns of the fields that have a value. Neither JSON nor Kysely keeps undefined, so a missing column is null. */
    writeSome: (values: Values) =>
      Object.fromEntries(Object.entries(write(values, true)).map(([name, value]) => [name, value ?? null])),
  }
}

/**
 * The mapping between an entity and its table: each column is named once. Statements select columns by name, because a prepared statement
 * must survive a column that a later release adds.
 * @param fields the fields of the entity
 * @param others fields that only statements, views and changes name
 */
export function table<
  const Name extends string,
  const Of extends Fields,
  const Others extends Fields = Record<never, never>,
>(name: Name, fields: Of, others = {} as Others): Table<Of, Of & Others, Name> {
  const all: Fields = { ...fields, ...others }
  const some = (keys: readonly string[]) =>
    mapping(Object.fromEntries(keys.map((key) => [key, all[key] as Field<unknown>])))
  const whole = mapping(all)
  const view = (keys: readonly string[]) => {
    const { columns, read, readJson } = some(keys)
    const names = [...new Set(columns.map(([each]) => each))]
    const selectList = names.map((each) => `${name}.${each}`).join(', ')
    return { ...parts({ selectList }), names, read, readJson }
  }
  const made = {
    ...view(Object.keys(fields)),
    name,
    columns: Object.fromEntries(whole.columns),
    view,
    recordSet(keys: readonly string[] = Object.keys(fields)) {
      const { columns, write } = some(keys)
      const names = columns.map(([each]) => each)
      const changing = names.filter((each) => !keyColumns.includes(each))
      const text = {
        names: names.join(', '),
        definition: columns.map(([each, type]) => `${each} ${type}`).join(', '),
        assignments: changing.map((each) => `${each} = given.${each}`).join(', '),
      }
      const insertFrom = (given: string) =>
        `insert into ${name} (${text.names}) select ${text.names} from ${given}`
      return { ...parts(text), row: write, insertFrom }
    },
    changes(keys: readonly string[]) {
      const { columns, writeSome } = some(keys)
      const assignments = columns
        .map(
          ([each, type]) =>
            `${each} = case when change ? '${each}' then (change->>'${each}')::${type} else kept.${each} end`,
        )
        .join(', ')
      return {
        definition: 'account_id uuid, id uuid, change jsonb',
        row: ({ accountId, id }: { accountId: AccountId; id: Id<string> }, change: Values) => ({
          account_id: uuidOf(accountId),
          id: uuidOf(id),
          change: writeSome(change),
        }),
        updateFrom: (given: string, also = '') => `update ${name} as kept set ${assignments}${also}
    from ${given} where kept.account_id = ${given}.account_id and kept.id = ${given}.id`,
      }
    },
    row: whole.writeSome,
  }
  return made as unknown as Table<Of, Of & Others, Name>
}
