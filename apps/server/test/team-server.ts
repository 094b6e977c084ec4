import type { Tokens } from '@muripo/contract/auth'
import type { Role } from '@muripo/contract/permissions'
import type { GrantedRole } from '@muripo/contract/team'
import { makeMerchant, makeSession } from '../src/modules/identity/factory.ts'
import { identityServer } from './identity-server.ts'

/** The identity routes on a database of this file, with the calls of a team: of those who invite, and of those who are invited. */
export async function teamServer() {
  const { ctx, app } = await identityServer()
  let count = 0
  const freshEmail = () => {
    count += 1
    return `invited-${count}@example.com`
  }

  async function call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    by: Tokens | null,
    payload?: object,
  ) {
    const response = await app.inject({
      method,
      url: `/v1${path}`,
      headers: by === null ? {} : { authorization: `Bearer ${by.authToken}` },
      ...(payload && { payload }),
    })
    return { status: response.statusCode, body: response.payload ? response.json() : null }
  }
  const invite = (by: Tokens, role: Role | string = 'support', email = freshEmail()) =>
    call('POST', '/team/invitations', by, { email, role })
  const linkTo = (email: string) =>
    /\/invitation#([\w-]{43})/.exec(ctx.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
  const accept = (by: Tokens, token: string) => call('POST', '/invitations/accept', by, { token })
  const join = (token: string) =>
    call('POST', '/invitations/join', null, {
      token,
      fullname: 'Rudo Dube',
      password: 'another long sentence',
    })
  const teamOf = async (by: Tokens) => (await call('GET', '/team', by)).body

  /** A person with an account of their own whose email is invited. */
  async function invitedMerchant(by: Tokens, role: GrantedRole = 'support') {
    const other = await makeMerchant(ctx, { email: freshEmail() })
    await invite(by, role, other.email)
    return { ...other, tokens: await makeSession(ctx, other.merchantId), token: linkTo(other.email) }
  }
  return { ctx, call, freshEmail, invite, linkTo, accept, join, teamOf, invitedMerchant }
}
