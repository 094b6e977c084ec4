import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import {
  compiledTexts,
  fileOf,
  type PageGroup,
  pageGroups,
  type TranslatedLocale,
  translatedLocales,
} from '@muripo/locales/catalogues'
import type { Plugin } from 'vite'

const textsPrefix = 'virtual:texts/'
const translationsPrefix = 'virtual:translations/'

/**
 * `import texts from 'virtual:texts/payer/sn'` returns compiled texts: no parser is sent. `import translations from
 * 'virtual:translations/auth'` returns the addresses of a page group's translations, which the browser fetches in one language; the server
 * and the tests of components have the texts themselves.
 * @param pseudo the language whose texts are replaced by English in disguise, for tests
 */
export function texts({ pseudo }: { pseudo?: TranslatedLocale } = {}): Plugin {
  const read = (name: Parameters<typeof compiledTexts>[0], locale: Parameters<typeof compiledTexts>[1]) =>
    compiledTexts(name, locale === pseudo ? 'pseudo' : locale)

  async function translated(group: PageGroup, locale: TranslatedLocale) {
    const all = await Promise.all(pageGroups[group].map((name) => read(name, locale)))
    return Object.assign({}, ...all)
  }
  return {
    name: 'muripo-texts',
    resolveId: (id) =>
      id.startsWith(textsPrefix) || id.startsWith(translationsPrefix) ? `\0${id}` : undefined,
    async load(id) {
      if (id.startsWith(`\0${textsPrefix}`)) {
        const [name, locale] = id.slice(textsPrefix.length + 1).split('/') as Parameters<typeof read>
        if (locale === 'sn' || locale === 'nd') this.addWatchFile(fileURLToPath(fileOf(name, locale)))
        return `export default ${JSON.stringify(await read(name, locale))}`
      }
      if (!id.startsWith(`\0${translationsPrefix}`)) return undefined
      const group = id.slice(translationsPrefix.length + 1) as PageGroup
      const isForBrowser = this.environment.mode === 'build' && this.environment.name === 'client'
      const files = translatedLocales.map(async (locale) => {
        for (const name of pageGroups[group]) this.addWatchFile(fileURLToPath(fileOf(name, locale)))
        const source = JSON.stringify(await translated(group, locale))
        const fileName = `assets/${group}-${locale}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.json`
        if (isForBrowser) this.emitFile({ type: 'asset', fileName, source })
        return `${locale}: { address: '/${fileName}', texts: ${isForBrowser ? 'null' : source} }`
      })
      return `export default { ${(await Promise.all(files)).join(', ')} }`
    },
  }
}
