import { type Source, sources } from '../lib/sources.ts'

/** A command in a document. */
export interface DocumentedCommand {
  /** File and line. */
  readonly at: string
  /** Without prompt, comment and continuation lines. */
  readonly text: string
  /** Part of a sentence, which may leave out the arguments of the command. */
  readonly isInline: boolean
}

/** A command line may follow variables that it sets, or another command. */
const commandIn = /(?:^|&& |; )((?:[A-Z_]+=\S+ )*(?:npm|npx|node|muripo) [^&;]+)/g
const inlineCode = /`((?:npm|npx|muripo) [^`]+)`/g
const comment = /\s{2,}#.*$|\s+# .*$/

function commandsIn({ file, text }: Source): DocumentedCommand[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) {
      isCode = !isCode
      return []
    }
    const texts = isCode ? [...line.replace(comment, '').matchAll(commandIn)] : [...line.matchAll(inlineCode)]
    return texts.map(([, command = '']) => ({
      at: `${file}:${index + 1}`,
      text: command.trim(),
      isInline: !isCode,
    }))
  })
}

/** Every npm, npx, node and muripo command of README and the documents; decisions contain rejected commands too and are excluded. */
export const documentedCommands = (): DocumentedCommand[] =>
  sources('*.md', 'docs/*.md', 'docs/providers/*.md', 'docs/runbooks/*.md', 'packages/*/README.md').flatMap(
    commandsIn,
  )

/** The script of package.json that a command runs, or null. */
export function scriptOf(command: string): string | null {
  const [, run, short] = /^(?:[A-Z_]+=\S+ )*npm (?:run (\S+)|(start|test)\b)/.exec(command) ?? []
  return run ?? short ?? null
}
