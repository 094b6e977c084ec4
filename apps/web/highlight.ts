import { readFile } from 'node:fs/promises'
import { createCssVariablesTheme, createHighlighter, type Highlighter } from 'shiki'
import type { Plugin } from 'vite'

const languages = ['js', 'json', 'sh', 'php', 'python'] as const
const theme = createCssVariablesTheme({ name: 'muripo', variablePrefix: '--code-', fontStyle: false })

/** `import sample from './a.ts?highlight'` returns `{ text, html }`: the colours are computed at build time, and no highlighter is sent. */
export function highlight(): Plugin {
  let highlighter: Promise<Highlighter> | undefined
  return {
    name: 'muripo-highlight',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('?highlight')) return undefined
      const file = id.slice(0, -'?highlight'.length)
      this.addWatchFile(file)
      const text = (await readFile(file, 'utf8')).trimEnd()
      highlighter ??= createHighlighter({ langs: [...languages], themes: [theme] })
      const coloured = (await highlighter).codeToHtml(text, {
        lang: file.slice(file.lastIndexOf('.') + 1),
        theme: 'muripo',
        structure: 'inline',
      })
      // The copied text of the page must keep its lines.
      const html = coloured.replaceAll('<br>', '\n')
      return { code: `export default ${JSON.stringify({ text, html })}`, moduleType: 'js' }
    },
  }
}
