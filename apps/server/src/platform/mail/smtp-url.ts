/** The mail server of SMTP_URL. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, and not after STARTTLS. */
  readonly secure: boolean
  /** Whether a mail waits instead of being sent without TLS. */
  readonly requireTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/**
 * Reads SMTP_URL. The mail library accepts all of its options in an address, also those that turn TLS checks off: only `requireTLS` is
 * passed on, and others are refused by name.
 * @returns the error in the value, without repeating it: it contains a password
 */
export function readSmtpUrl(value: string): SmtpServer | string {
  if (!URL.canParse(value)) return 'must be an address such as smtps://user:password@host'
  const { protocol, hostname, port, pathname, username, password, searchParams, hash } = new URL(value)
  if (protocol !== 'smtp:' && protocol !== 'smtps:')
    return 'must be an address that starts with smtp:// or smtps://'
  if (hostname === '' || hash !== '' || !/^\/?$/.test(pathname))
    return 'must name a host, and nothing after it'
  for (const [name, setting] of searchParams) {
    if (name !== 'requireTLS') return `has the option "${name}", and takes requireTLS alone`
    if (setting !== 'true' && setting !== 'false') return 'has requireTLS, which must be true or false'
  }
  if (searchParams.size > 1) return 'has requireTLS more than once'
  const decoded = [username, password].map(decode)
  if (decoded.includes(null)) return 'has a user or a password that is not percent-encoded'
  const [user, pass] = decoded as [string, string]
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? PORTS[protocol] : Number(port),
    secure: protocol === 'smtps:',
    requireTLS: searchParams.get('requireTLS') !== 'false',
    ...(user === '' ? {} : { auth: { user, pass } }),
  }
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
