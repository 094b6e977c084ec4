import path from 'node:path'

export interface Places {
  readonly url: string
  readonly development: boolean
  readonly dataDir: string
  /** A PostgreSQL that the operator brought. */
  readonly ownDatabase: boolean
  readonly seconds: string
  readonly more: readonly (readonly [name: string, value: string])[]
}

export function banner({ url, development, dataDir, ownDatabase, seconds, more }: Places): string {
  const rows: (readonly [string, string])[] = [
    ['Site', url],
    ['Dashboard', `${url}/app`],
  ]
  if (development)
    rows.push(
      ['Mailbox', `${url}/dev/mailbox`],
      ['Handset', `${url}/dev/phone`],
      ['Codes', `${url}/dev/codes`],
    )
  rows.push(['Data', nameOf(dataDir)])
  if (ownDatabase) rows.push(['Database', 'the one of DATABASE_URL'])
  rows.push(...more)
  const lines = rows.map(([name, place]) => `  ${name.padEnd(12)}${place}`)
  return ['', `  Muripo is ready (${seconds} s)`, '', ...lines, '', '  Ctrl-C stops it', ''].join('\n')
}

function nameOf(directory: string): string {
  const relative = path.relative(process.cwd(), directory)
  return relative.startsWith('..') || path.isAbsolute(relative) ? directory : `./${relative}`
}
