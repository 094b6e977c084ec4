import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './repository.ts'

const generated = new Set([
  'node_modules',
  'build',
  'dist',
  '.react-router',
  'generated',
  'test-results',
  'playwright-report',
])

export interface Source {
  /** Its place in the repository, with forward slashes. */
  readonly file: string
  readonly text: string
}

/** The repository's own files of some kind, without built and generated files. */
export function sources(...patterns: string[]): Source[] {
  return globSync(patterns, {
    cwd: repository,
    exclude: (name) => generated.has(path.basename(name)),
  })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(repository, file), 'utf8') }))
}

export const typescript = ['{apps,packages,e2e,bench,scripts}/**/*.{ts,tsx}']

/** Comments may name what code may not do. */
export const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, (comment) => comment.replace(/\S/g, ' '))

/** The lines of code, without those of comments, that contain something banned. */
export function findings(files: readonly Source[], banned: RegExp): string[] {
  return files.flatMap(({ file, text }) =>
    withoutComments(text)
      .split('\n')
      .flatMap((line, index) => (banned.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
}
