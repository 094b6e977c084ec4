import type { Plugin } from 'vite'

const parts = /from '[./a-z]*\/classes\.ts'/
const kinds: Readonly<Record<string, string>> = { row: 'row', stack: 'stack', grid: 'grid', notice: 'notice' }

/** Writes the classes in place of the calls that name them, `font('sm', 'quiet')`: a page has hundreds, which the script would call at each render. */
export const inlineClasses = (): Plugin => ({
  name: 'muripo-inline-classes',
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { id: /\/app\/.*\.tsx$/ },
    handler: (code) =>
      parts.test(code)
        ? code.replace(
            /(?<![\w.])(font|row|stack|grid|place|surface|notice)\(((?:\s|'\w+',?)*)\)/g,
            (_, part: string, names: string) =>
              `'${[kinds[part], ...names.matchAll(/\w+/g)].filter(Boolean).join(' ')}'`,
          )
        : null,
  },
})
