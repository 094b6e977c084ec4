import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** A program of this machine, or undefined. */
export function onPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/sbin']
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file))
}

/** Root on Debian may install what is missing. */
export const canInstall = (): boolean => process.getuid?.() === 0 && onPath('apt-get') !== undefined

const apt = (...args: string[]) =>
  once(
    spawn('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }),
    'close',
  )

export const updatePackageLists = () => apt('update')
export const installPackages = (...names: string[]) =>
  apt('install', '-y', '--no-install-recommends', ...names)

/**
 * Installs the programs that are missing, each from the Debian package of its name.
 * @throws when one cannot be installed
 */
export async function needPrograms(...names: string[]): Promise<void> {
  const missing = names.filter((name) => onPath(name) === undefined)
  if (missing.length === 0) return
  if (canInstall()) {
    await updatePackageLists()
    await installPackages(...missing)
  }
  const left = missing.filter((name) => onPath(name) === undefined)
  if (left.length > 0) throw new Error(`Install ${left.join(' and ')}: the README's commands use it.`)
}
