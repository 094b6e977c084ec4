import { once } from 'node:events'
import { connect } from 'node:tls'
import type { Config } from '../../platform/config.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000
const WARNED_DAYS = 14

/** Connects to PUBLIC_URL as a payer's browser does. */
export async function checkCertificate(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  now: Date,
): Promise<Finding> {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'https:') return ok('certificate', `${publicUrl} has no TLS, for development`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(port || 443),
    servername: host,
    timeout: TIMEOUT_MS,
    // The reason is reported below, and a certificate that is refused is still read.
    rejectUnauthorized: false,
  })
  socket.on('timeout', () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)))
  try {
    await once(socket, 'secureConnect')
    const until = new Date(socket.getPeerCertificate().valid_to)
    const days = Math.floor((until.getTime() - now.getTime()) / DAY_MS)
    const text = `${publicUrl}: valid until ${until.toISOString().slice(0, 10)}`
    if (days < 0)
      return failure('certificate', `${publicUrl}: expired on ${until.toISOString().slice(0, 10)}`)
    if (!socket.authorized)
      return failure('certificate', `${publicUrl}: browsers refuse it (${socket.authorizationError})`)
    return days < WARNED_DAYS
      ? warning('certificate', `${text}, in ${days} days: renew it`)
      : ok('certificate', text)
  } catch (error) {
    return failure('certificate', `${publicUrl} cannot be reached: ${(error as Error).message}`)
  } finally {
    socket.destroy()
  }
}
