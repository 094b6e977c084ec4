import type { NextAction, Reply } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'

/** Some providers pad a field with NUL, or cut a character in half: the outcome must be stored nevertheless. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The reply as it is stored. Its next step is left out when the payer's page could not show it. */
export function storableReply(ctx: Pick<PaymentsCtx, 'log'>, reply: Reply): Reply {
  const state = Object.entries(reply.state).map(([name, value]) => [
    name,
    typeof value === 'string' ? storableText(value) : value,
  ])
  const { next: given, ...rest } = reply
  const next = given && storableStep(given)
  if (next === null)
    ctx.log.error({ next: given }, 'a provider named a page that is no web address for the payer')
  return {
    ...rest,
    ...(next && { next }),
    providerStatus: storableText(reply.providerStatus),
    providerReference: reply.providerReference === null ? null : storableText(reply.providerReference),
    state: Object.fromEntries(state),
  }
}

const webProtocols = ['https:', 'http:']
/** Protocols whose links run code or open files in the payer's browser. */
const unsafeProtocols = ['javascript:', 'vbscript:', 'data:', 'blob:', 'file:']

const protocolOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).protocol : null)

const opensPage = (url: string): boolean => webProtocols.includes(protocolOf(url) ?? '')

function opensApp({ url }: { readonly url: string }): boolean {
  const protocol = protocolOf(url)
  return protocol !== null && !unsafeProtocols.includes(protocol)
}

/**
 * The payer's step as it is stored and shown. Its addresses become links of the payer's page: a provider's page has a web address, and a
 * link to an app must not run code in the browser.
 * @returns null for a page without a web address
 */
function storableStep(next: NextAction): NextAction | null {
  switch (next.type) {
    case 'wait_for_push':
      return next
    case 'redirect':
      return opensPage(next.url) ? { ...next, url: new URL(next.url).href } : null
    case 'hosted_fields':
      return opensPage(next.script) ? { ...next, script: new URL(next.script).href } : null
    case 'post_form':
      return opensPage(next.url)
        ? {
            ...next,
            url: new URL(next.url).href,
            fields: Object.fromEntries(
              Object.entries(next.fields).map(([name, value]) => [storableText(name), storableText(value)]),
            ),
          }
        : null
    case 'show_code':
      return {
        ...next,
        code: storableText(next.code),
        qr: storableText(next.qr),
        links: next.links.filter(opensApp).map(({ url }) => ({ url: new URL(url).href })),
      }
  }
}
