import { fileURLToPath } from 'node:url'
import { compiledTexts, fileOf, type TranslatedLocale } from '@muripo/locales/catalogues'
import type { Plugin } from 'vite'

const prefix = 'virtual:texts/'

/**
 * `import texts from 'virtual:texts/payer/sn'` returns compiled texts: no parser is sent.
 * @param pseudo the language whose texts are replaced by English in disguise, for tests
 */
export const texts = ({ pseudo }: { pseudo?: TranslatedLocale } = {}): Plugin => ({
  name: 'muripo-texts',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  async load(id) {
    if (!id.startsWith(`\0${prefix}`)) return undefined
    const [name, locale] = id.slice(prefix.length + 1).split('/') as Parameters<typeof compiledTexts>
    if (locale === 'sn' || locale === 'nd') this.addWatchFile(fileURLToPath(fileOf(name, locale)))
    return `export default ${JSON.stringify(await compiledTexts(name, locale === pseudo ? 'pseudo' : locale))}`
  },
})
