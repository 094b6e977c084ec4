import { readFileSync, statSync } from 'node:fs'
import type { Environment } from '../platform/settings.ts'
import { Refused } from './command.ts'
import { parseEnvironmentFile } from './environment-file.ts'

/** Variables of the operator's shell that a command on an installed machine keeps. All others are the service's. */
const ofTheShell = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TERM',
  'TZ',
  'INIT_CWD',
  'MURIPO_RELEASE',
  'MIGRATE_DATABASE_URL',
]

/** The account and the settings of the service `muripo@` on a machine where deploy/install.sh has installed it. */
export interface Installation {
  readonly uid: number
  readonly gid: number
  readonly env: Record<string, string>
}

/**
 * The installation that a release belongs to; null for one of an image, whose container has the environment of the gateway already.
 * @throws Refused when the account `uid` may not run its commands
 */
export function installationOf(
  release: string,
  { uid, shell }: { readonly uid: number; readonly shell: Environment },
): Installation | null {
  const [, root] = /^(.*)\/opt\/muripo\/releases\/[^/]+$/.exec(release) ?? []
  if (root === undefined) return null
  const data = `${root}/var/lib/muripo`
  const owner = statSync(data)
  if (uid !== 0 && uid !== owner.uid)
    throw new Refused('Only root and the account of the gateway may run this command: begin it with sudo.')
  const kept = ofTheShell.flatMap((name) => (shell[name] === undefined ? [] : [[name, shell[name]]]))
  return {
    uid: owner.uid,
    gid: owner.gid,
    env: {
      ...Object.fromEntries(kept),
      HOME: data,
      NODE_ENV: 'production',
      MURIPO_DATA: data,
      ...settingsIn(`${root}/etc/muripo/muripo.env`),
    },
  }
}

function settingsIn(file: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refused(`The settings in ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  return parseEnvironmentFile(text)
}
