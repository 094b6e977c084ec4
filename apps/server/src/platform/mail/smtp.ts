import { createTransport } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import { certificateAdvice } from '../outbound/certificate-error.ts'
import { MailRefused, type MailTransport } from './mail.ts'
import { readSmtpUrl } from './smtp-url.ts'

const TIMEOUT_MS = 20_000
const VERIFY_TIMEOUT_MS = 10_000

/** Mails are sent over encrypted connections only, to a server with a valid certificate, unless SMTP_URL says otherwise. */
export function smtpTransport(smtpUrl: string, from: string): MailTransport {
  const transport = createTransport(optionsOf(smtpUrl, TIMEOUT_MS))
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async deliver({ to, replyTo, ...mail }, id) {
      try {
        await transport.sendMail({
          ...mail,
          from,
          to: oneAddress(to),
          ...(replyTo === undefined ? {} : { replyTo: oneAddress(replyTo) }),
          messageId: `<${id}@${domain}>`,
        })
      } catch (error) {
        throw withoutServerReply(error as SmtpError)
      }
    },
  }
}

/** Connects to the mail server and signs in, without sending a mail. */
export async function verifySmtp(smtpUrl: string): Promise<void> {
  const transport = createTransport(optionsOf(smtpUrl, VERIFY_TIMEOUT_MS))
  try {
    await transport.verify()
  } catch (error) {
    const { code = 'unknown', responseCode = '' } = error as SmtpError
    const isOfNetwork = code === 'ESOCKET' || code === 'ETLS' || code === 'EDNS'
    const reason = isOfNetwork ? `: ${certificateAdvice(error) ?? (error as Error).message}` : ''
    throw new Error(`the mail server refused the connection (${`${code} ${responseCode}`.trim()}${reason})`)
  } finally {
    transport.close()
  }
}

function optionsOf(smtpUrl: string, timeoutMs: number): SMTPTransport.Options {
  const server = readSmtpUrl(smtpUrl)
  if (typeof server === 'string') throw new Error(`SMTP_URL ${server}`)
  return {
    ...server,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// A plain string would be parsed as a list of addresses.
const oneAddress = (address: string) => ({ name: '', address })

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  readonly command?: string
}

function withoutServerReply(error: SmtpError): Error {
  const { code = 'unknown', responseCode = 0, command = 'CONN' } = error
  // A refused name or password is the operator's to correct: the mail waits.
  const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isOfThisMail && responseCode >= 500
    ? new MailRefused(responseCode, command)
    : new Error(
        `the mail server did not take a mail: ${code} ${responseCode || ''} at ${command}${adviceIn(error)}`,
      )
}

/** A reply of the server is left out, because it may contain text of the mail. */
const adviceIn = (error: SmtpError): string => {
  const advice = error.responseCode === undefined ? certificateAdvice(error) : null
  return advice === null ? '' : `: ${advice}`
}
