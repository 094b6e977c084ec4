/** Codes of a certificate that a client refuses, of Node and of OpenSSL. */
const codes = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET))/

/** Whether the client has refused the certificate, and so has sent nothing. */
export const isCertificateError = (code: string): boolean => codes.test(code)

/** OpenSSL's texts of these codes: a library may replace the code by its own. A server that refuses a client's certificate has other texts. */
const texts =
  /self[- ]signed certificate|unable to (verify|get)\b.*certificate|certificate has expired|altnames/i

/** The sentence for an operator about a certificate that was refused, with its remedy; null for any other error. */
export function certificateAdvice(error: unknown): string | null {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (!codes.test(code) && !texts.test(message)) return null
  if (code === 'CERT_HAS_EXPIRED' || /has expired/.test(message)) return 'its certificate has expired'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || /altnames/.test(message))
    return 'its certificate is for another host: use the name that the certificate has'
  return 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its authority'
}
