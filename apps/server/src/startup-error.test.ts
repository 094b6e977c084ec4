import { expect, test } from 'vitest'
import { parseConfig } from './platform/config.ts'
import { startupError } from './startup-error.ts'

const messageOf = (syscall: string, code: string) =>
  startupError(
    Object.assign(new Error(`${code}: ${syscall}`), { code, syscall }),
    parseConfig({ PORT: '80' }),
  )

test('an unavailable port is named', () => {
  expect(messageOf('listen', 'EACCES')).toMatch(/^Port 80 may not be used/)
  expect(messageOf('listen', 'EADDRINUSE')).toMatch(/^Port 80 is taken/)
  expect(messageOf('listen', 'EADDRNOTAVAIL')).toMatch(/^HOST /)
})

test('the port of the metrics is named with its own variables', () => {
  const taken = Object.assign(new Error('taken'), { code: 'EADDRINUSE', syscall: 'listen', port: 9464 })
  const config = parseConfig({ PORT: '80', METRICS_PORT: '9464' })
  expect(startupError(taken, config)).toBe(
    'Port 9464 is taken: stop what uses it, or set METRICS_PORT to another one',
  )
})

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of',
  ],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'its certificate is for another host: use the name that the certificate has',
  ],
])('the certificate of the database, refused with %s, is named with the remedy', (code, remedy) => {
  expect(messageOf('connect', code)).toContain(
    `The database of DATABASE_URL cannot be reached (${code}): ${remedy}`,
  )
})

test('a directory that may not be written is not a port', () => {
  expect(messageOf('mkdir', 'EACCES')).toBe('Muripo cannot start: EACCES: mkdir')
})
