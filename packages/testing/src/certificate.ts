import { generate } from 'selfsigned'

export interface Certificate {
  /** PEM, both. */
  readonly cert: string
  readonly key: string
}

/** A self-signed certificate for this host name. */
export async function certificateFor(
  name: string,
  validity: { readonly notBeforeDate?: Date; readonly notAfterDate?: Date } = {},
): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...validity,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  })
  return { cert, key }
}
