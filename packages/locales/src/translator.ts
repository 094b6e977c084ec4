import { type Messages, setupI18n } from '@lingui/core'
import type { Locale } from '@muripo/contract/enums'

/** The texts of a catalogue in one language, compiled. */
export type Compiled = Messages

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

export function translatorOf<Source extends Texts>(locale: Locale, texts: Compiled): Translate<Source> {
  const i18n = setupI18n({ locale, messages: { [locale]: texts } })
  return (key, ...[values]) => i18n._(key, values)
}
