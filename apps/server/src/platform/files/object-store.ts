/** A bucket of an object store that speaks S3. */
export interface ObjectStore {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** The prefix of every key: empty, or ending in a slash. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const OBJECT_STORE_FORM = 's3://KEY:SECRET@HOST/BUCKET?region=REGION'

/**
 * `s3://KEY:SECRET@HOST[:PORT]/BUCKET[/FOLDER][?region=…&tls=off]`, key and secret percent-encoded; null for any other form. TLS may be off
 * for this machine only: otherwise signature and files would be sent in plain text.
 */
export function readObjectStore(text: string): ObjectStore | null {
  if (!URL.canParse(text)) return null
  const { protocol, username, password, host, hostname, pathname, searchParams, hash } = new URL(text)
  const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '')
  const region = searchParams.get('region') ?? 'us-east-1'
  const tls = searchParams.get('tls') ?? 'on'
  const isKnown = [...searchParams.keys()].every((name) => name === 'region' || name === 'tls')
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const fits =
    protocol === 's3:' &&
    hash === '' &&
    isKnown &&
    username !== '' &&
    password !== '' &&
    host !== '' &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    folders.every((folder) => /^[\w.-]+$/.test(folder) && !/^\.+$/.test(folder)) &&
    /^[a-z0-9-]{1,40}$/.test(region) &&
    (tls === 'on' || (tls === 'off' && isLocal))
  if (!fits) return null
  try {
    return {
      endpoint: `${tls === 'on' ? 'https' : 'http'}://${host}`,
      region,
      bucket,
      prefix: folders.map((folder) => `${folder}/`).join(''),
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    }
  } catch {
    return null
  }
}
