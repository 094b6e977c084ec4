import { readFile } from 'node:fs/promises'
import { minify, type Plugin, transformWithOxc } from 'vite'

const SUFFIX = '?inline-script'

/** `import script from './a.ts?inline-script'` returns the file as a small script for the document. The browser's bundle does not repeat it. */
export function inlineScript(): Plugin {
  return {
    name: 'muripo-inline-script',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(SUFFIX)) return undefined
      const file = id.slice(0, -SUFFIX.length)
      this.addWatchFile(file)
      if (this.environment.name === 'client') return { code: `export default ''`, moduleType: 'js' }
      const { code } = await transformWithOxc(await readFile(file, 'utf8'), file)
      const small = await minify(file, code, { module: true })
      return { code: `export default ${JSON.stringify(small.code)}`, moduleType: 'js' }
    },
  }
}
