import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerCall, spoil } from '../spoil.ts'
import type { Upcoming } from '../upcoming.ts'
import type { Access } from './accounts.ts'
import type { CodeBehaviour } from './behaviour.ts'
import type { Codes } from './codes.ts'
import { approval, badRequest, facts, qrCode, refusal, responses, unauthorised } from './replies.ts'
import { Generate, Inquiry, LogIn } from './requests.ts'

export interface InnbucksDeps {
  readonly access: Access
  readonly codes: Codes
  readonly upcoming: Upcoming<CodeBehaviour>
  readonly now: () => number
}

/** InnBucks's Merchant API: a log-in for fifteen minutes, payment codes and inquiries about them. */
export function innbucksRoutes(deps: InnbucksDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => void reply.header('x-trace-id', randomUUID()))
    app.post('/auth/third-party', (request, reply) => logIn(deps, request, reply))
    app.post('/api/code/generate', (request, reply) => generate(deps, request, reply))
    app.post('/api/code/inquiry', (request, reply) => inquire(deps, request, reply))
    // The older inquiry: the staging system answers every call of it so.
    app.post('/api/code/query/originalReference', async (request, reply) =>
      accountOf(deps.access, request) === null
        ? unauthorised(reply)
        : { responseCode: '096', responseMsg: responses[96] },
    )
  }
}

const accountOf = (access: Access, { headers }: FastifyRequest) =>
  access.ofCall(headers['x-api-key'], headers.authorization)

async function logIn({ access }: InnbucksDeps, request: FastifyRequest, reply: FastifyReply) {
  const given = LogIn.safeParse(request.body)
  const accessToken = given.success ? access.logIn(request.headers['x-api-key'], given.data) : null
  if (accessToken === null) return unauthorised(reply)
  return { accessToken, responseCode: '00', responseDescription: 'Success' }
}

async function generate(
  { access, codes, upcoming }: InnbucksDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const currency = accountOf(access, request)
  if (currency === null) return unauthorised(reply)
  const parsed = Generate.safeParse(request.body)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? 'body'
    return field === 'amount' ? refusal(13) : badRequest(reply, `${field} is invalid`)
  }
  const behaviour = upcoming.take()
  await sleep(behaviour.replyDelayMs ?? 0)
  if (behaviour.generateRefusal !== undefined)
    return refusal(behaviour.generateRefusal === '13' ? 13 : 96, behaviour)
  return answerCall({ request, reply, word: behaviour.generateReply }, () => {
    const { reference, narration, amount: minor } = parsed.data
    const code = codes.open({ reference, narration, minor, currency }, behaviour)
    if (behaviour.generateForm === 'unapproved') return () => approval(behaviour)
    const made = { code: code.code, qrCode, amount: String(minor), description: narration }
    return () => ({ ...facts(code), ...approval(behaviour), ...made })
  })
}

async function inquire({ access, codes, now }: InnbucksDeps, request: FastifyRequest, reply: FastifyReply) {
  const currency = accountOf(access, request)
  if (currency === null) return unauthorised(reply)
  const parsed = Inquiry.safeParse(request.body)
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path }) =>
      path[0] === 'code' ? 'Code is required' : 'Reference is required',
    )
    return badRequest(reply, ...errors)
  }
  const code = codes.get(parsed.data.code)
  if (code?.currency !== currency) return refusal(25)
  const { behaviour } = code
  code.inquiries += 1
  const isSpoilt = code.inquiries <= (behaviour.inquiryTimes ?? Number.POSITIVE_INFINITY)
  const how = isSpoilt ? (behaviour.inquiryReply ?? 'normal') : 'normal'
  switch (how) {
    case 'not_found':
      return refusal(25, behaviour)
    case 'failed':
      return refusal(96, behaviour)
    case 'unauthorised':
      return unauthorised(reply)
    case 'normal':
      return {
        ...facts(code),
        ...approval(behaviour),
        code: code.code,
        amount: String(behaviour.echoMinor ?? code.minor),
        status: behaviour.status ?? code.state,
        timeToLive: `${Math.max(0, Math.ceil((code.expiresAt - now()) / 1000))}sec`,
      }
    default:
      return spoil(request, reply, how)
  }
}
