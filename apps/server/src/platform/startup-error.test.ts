import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { startupError } from './startup-error.ts'

const faultOf = (syscall: string, code: string) =>
  startupError(
    Object.assign(new Error(`${code}: ${syscall}`), { code, syscall }),
    parseConfig({ PORT: '80' }),
  )

test('an unavailable port is named', () => {
  expect(faultOf('listen', 'EACCES')).toMatch(/^Port 80 may not be used/)
  expect(faultOf('listen', 'EADDRINUSE')).toMatch(/^Port 80 is taken/)
  expect(faultOf('listen', 'EADDRNOTAVAIL')).toMatch(/^HOST /)
})

test('a directory that may not be written is not a port', () => {
  expect(faultOf('mkdir', 'EACCES')).toBe('Muripo cannot start: EACCES: mkdir')
})
