import Bowser from 'bowser'

const MAX_LENGTH = 512

/** "Chrome on Windows". The text of the browser never reaches a mail, because a caller can write anything into it. */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'an unknown browser'
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_LENGTH))
  const name = known(browser.name) ?? 'an unknown browser'
  const system = known(os.name)
  return system === null ? name : `${name} on ${system}`
}

// Bowser takes an unknown name from the text itself.
const names = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])
const known = (name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null
