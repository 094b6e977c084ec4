import english from 'virtual:texts/site/en'
import translations from 'virtual:translations/site'
import type { Locale } from '@muripo/contract/enums'
import type { site } from '@muripo/locales/site'
import { type Compiled, type Texts, type Translate, translatorOf } from '@muripo/locales/translator'
import type { ReactNode } from 'react'
import { type MetaArgs, pageMeta, type Translations } from '../../lib/page-meta.ts'
import { languageIn, usePageText } from '../../lib/page-text.ts'
import { withElements } from '../../lib/sentence.tsx'

export const siteTranslations = translations

export const {
  useText: useSiteText,
  Sentence,
  metaOf: siteMeta,
} = textsOf<typeof site>(english, translations)

interface SentenceProps<Source> {
  readonly of: keyof Source & string
  readonly values: Readonly<Record<string, ReactNode>>
}

/** The keys of the texts without values. */
type PlainKey<Source extends Texts> = {
  [Key in keyof Source & string]: Source[Key] extends `${string}{${string}` ? never : Key
}[keyof Source & string]

/** A hook, a component and the page's head for the texts of a catalogue, whose English texts are given. */
export function textsOf<Source extends Texts>(english: Compiled, translations: Translations) {
  const useText = (): Translate<Source> => usePageText<Source>(english)

  /** A text whose values are elements. */
  function Sentence({ of, values }: SentenceProps<Source>) {
    const t = useText() as (key: string, values: Readonly<Record<string, string>>) => string
    return withElements((marks) => t(of, marks), values)
  }

  /** The whole head of a translated page, in the reader's language. */
  const metaOf =
    ({ title, description }: Readonly<Record<'title' | 'description', PlainKey<Source>>>) =>
    (args: MetaArgs) => {
      const root = args.matches.find((match) => match?.id === 'root')?.loaderData as
        | { locale?: Locale }
        | undefined
      const { locale, translation } = languageIn(translations, root?.locale ?? 'en')
      const t = translatorOf(...(translation === null ? [] : [translation]), english) as (
        key: string,
      ) => string
      return pageMeta({ title: t(title), description: t(description), locale })(args)
    }

  return { useText, Sentence, metaOf }
}
