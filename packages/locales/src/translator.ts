import type { CompiledMessage } from '@lingui/message-utils/compileMessage'

/** The texts of a catalogue in one language, compiled. */
export type Compiled = Readonly<Record<string, CompiledMessage>>

type Value = string | number

/** The first word after each opening brace, which is the name of a value unless a text of a plural or a choice begins there. */
type NamesIn<Text extends string, Found = never> = Text extends `${string}{${infer Rest}`
  ? NamesIn<Rest, Found | NameAt<Rest>>
  : Found
type NameAt<Rest extends string> = Rest extends `${infer Before}}${string}`
  ? Before extends `${infer First},${string}`
    ? WordOf<First>
    : WordOf<Before>
  : never
type WordOf<Text extends string> = Text extends '' | `${string} ${string}` | `${string}{${string}`
  ? never
  : Text

export type ValuesOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Text>, Value>>]

/** The English texts of a catalogue by their keys. */
export type Texts = Readonly<Record<string, string>>

/** Returns the text of a key in the translator's language, with the values in the places of their names. */
export type Translate<Source extends Texts> = <Key extends keyof Source & string>(
  key: Key,
  ...values: ValuesOf<Source[Key]>
) => string

/** Whole numbers have the same two forms in all our languages, and browsers on cheap phones have no rules for two of them. */
const plural = new Intl.PluralRules('en')

/** The text of a compiled message. `count` is the number of the plural around it. */
export function textOf(
  message: CompiledMessage,
  values: Readonly<Record<string, unknown>>,
  count?: unknown,
): string {
  return message
    .map((part) => {
      if (typeof part === 'string') return part === '#' && count !== undefined ? String(count) : part
      const [name, format, choices] = part
      const value = values[name]
      if (format === undefined) return String(value)
      const texts = choices as Readonly<Record<string, CompiledMessage>>
      const form = format === 'plural' ? plural.select(Number(value)) : ''
      const chosen = texts[String(value)] ?? texts[form] ?? texts.other ?? []
      return textOf(chosen, values, format === 'plural' ? value : count)
    })
    .join('')
}

/** @param texts the texts in the translator's language; those that lack one have the text of the next */
export function translatorOf<Source extends Texts>(...texts: readonly Compiled[]): Translate<Source> {
  return (key, ...[values]) => {
    const message = texts.find((each) => key in each)?.[key]
    return message === undefined ? key : textOf(message, values ?? {})
  }
}
