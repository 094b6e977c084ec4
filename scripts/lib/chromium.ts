import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statfsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { canInstall, installPackages, onPath, updatePackageLists } from './packages.ts'

/** Debian's shell is the browser without its windows, and takes less processor time. */
const packages = ['chromium-headless-shell', 'chromium']
const names = [...packages, 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const NEEDED_SHARED_BYTES = 2 * 1024 ** 3

/** False in a container with the usual 64 MiB, which a few pages exceed. */
function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= NEEDED_SHARED_BYTES
  } catch {
    return false
  }
}

/**
 * Moves shared memory to files in the temporary directory. Each painted tile is such a file, and ext4 passes over the inodes of all files
 * that were deleted in the last minutes. Playwright has this argument always.
 */
const withoutSharedMemory = '--disable-dev-shm-usage'
const fileArgs = hasSharedMemory() ? [] : [withoutSharedMemory]

/** A page of a test ends before optimised code has saved the processor time of its compilation. */
const withoutOptimisation = '--js-flags=--no-opt,--no-maglev'

/**
 * Chromium's own sandbox refuses root. Without a graphics card, Debian's Chromium would emulate one on the processor.
 */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...fileArgs,
  '--disable-gpu',
]

/** For tests. A measurement of pages, as by Lighthouse, needs the optimised code. */
export const testArgs = [...chromiumArgs, withoutOptimisation]

/** Arguments of Playwright that are left out. */
export const ignoreDefaultArgs = fileArgs.length === 0 ? [withoutSharedMemory] : []

/** The path of a Chromium: the machine's own, else one of Debian's packages, else Playwright's. */
export async function findChromium(log: (line: string) => void): Promise<string> {
  const found = installed()
  if (found) return found
  if (canInstall()) {
    log('installing Chromium (apt-get)')
    await updatePackageLists()
    for (const name of packages) {
      await installPackages(name, 'fonts-liberation')
      const packaged = installed()
      if (packaged) return packaged
    }
  }
  log("installing Chromium (Playwright's)")
  const install = spawn('npx', ['playwright', 'install', 'chromium'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(install, 'close')
  const own = installed()
  if (own) return own
  throw new Error(
    'No Chromium was found and none could be installed: install it, or set MURIPO_CHROMIUM to its path.',
  )
}

function installed(): string | undefined {
  const named = process.env.MURIPO_CHROMIUM
  const candidates = [named, ...names.map(onPath), chromium.executablePath()]
  return candidates.find((file) => file !== undefined && file !== '' && existsSync(file))
}
