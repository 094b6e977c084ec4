import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { html } from '../page/html.ts'
import { Problem } from '../problem.ts'
import { readFields } from './cards.ts'
import { fieldNames, type Sessions } from './sessions.ts'

const Field = z.enum(fieldNames)
const Value = z.object({ value: z.string().max(40) })

/** The script of the gateway in the merchant's page: it lays a frame of its own origin over each field. */
const script = (base: string) => `(() => {
  const names = ${JSON.stringify(fieldNames)}
  const frames = new Map()
  let settings, waiting
  const report = (status, more) => settings.callbacks.formSessionUpdate({ status, session: { id: settings.session }, ...more })
  addEventListener('message', (event) => {
    if (event.origin !== new URL('${base}').origin) return
    const { name, status } = event.data
    if (status === 'ready') {
      frames.get(name).isReady = true
      if ([...frames.values()].every(({ isReady }) => isReady)) settings.callbacks.initialized({ status: 'ok' })
    } else if (waiting) {
      waiting.set(name, status)
      if (waiting.size < frames.size) return
      const errors = Object.fromEntries([...waiting].filter(([, each]) => each !== 'ok'))
      waiting = undefined
      Object.keys(errors).length ? report('fields_in_error', { errors }) : report('ok', { sourceOfFunds: { type: 'CARD' } })
    }
  })
  window.PaymentSession = {
    configure(given) {
      settings = given
      for (const name of names) {
        const input = document.querySelector(given.fields.card[name])
        const frame = document.createElement('iframe')
        frame.title = input.labels[0]?.textContent ?? name
        frame.src = '${base}/field/' + name + '?session=' + encodeURIComponent(given.session)
        frame.style.cssText = 'display:block;width:100%;height:52px;border:0'
        input.style.display = 'none'
        input.after(frame)
        frames.set(name, { frame, isReady: false })
      }
    },
    updateSessionFromForm() {
      waiting = new Map()
      for (const { frame } of frames.values()) frame.contentWindow.postMessage('send', new URL('${base}').origin)
    },
  }
})()
`

const fieldPage = (name: string, session: string) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title><style>body{margin:0}input{box-sizing:border-box;width:100%;height:52px;padding:0 14px;border:1px solid #8490a3;border-radius:10px;font:18px sans-serif}</style></head>
<body><input id="${name}" aria-label="${name}" autocomplete="off" inputmode="numeric" data-session="${session}"><script src="../field.js"></script></body></html>`

/** The script inside a field's frame: what is typed goes to the gateway, and never to the page around it. */
const fieldScript = `
const input = document.querySelector('input')
const { session } = input.dataset
const report = (status) => parent.postMessage({ name: input.id, status }, '*')
addEventListener('message', async (event) => {
  if (event.data !== 'send') return
  const answer = await fetch('../session/' + encodeURIComponent(session) + '/' + input.id, {
    method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ value: input.value }),
  })
  report(answer.ok ? (await answer.json()).status : 'invalid')
})
report('ready')
`

/** Hosted Session: the script, its frames, and the fields that they send. */
export function hostedFieldRoutes(sessions: Sessions) {
  const existing = (id: string | undefined) => {
    const session = sessions.get(id ?? '')
    if (session === null) throw new Problem(404, 'There is no such session')
    return session
  }
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/session.js', async (request, reply) => {
      const base = `http://${request.host}${request.url.replace(/\/session\.js.*$/, '')}`
      return reply.type('text/javascript').send(script(base))
    })
    app.get('/field.js', async (_request, reply) => reply.type('text/javascript').send(fieldScript))
    app.get<{ Params: { name: string }; Querystring: { session?: string } }>(
      '/field/:name',
      async ({ params, query }, reply) => {
        const page = fieldPage(Field.parse(params.name), existing(query.session).id)
        return reply
          .header(
            'content-security-policy',
            "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'",
          )
          .type('text/html; charset=utf-8')
          .send(page.text)
      },
    )
    app.put<{ Params: { id: string; name: string } }>(
      '/session/:id/:name',
      async ({ params, body }, reply) => {
        const { fields } = existing(params.id)
        const name = Field.parse(params.name)
        fields[name] = Value.parse(body).value
        const errors = readFields(fields)
        const cardField = {
          number: 'number',
          expiryMonth: 'expiry',
          expiryYear: 'expiry',
          securityCode: 'cvv',
        } as const
        const isHalf = cardField[name] === 'expiry' && !(fields.expiryMonth && fields.expiryYear)
        const isWrong = !('masked' in errors) && !isHalf && errors[cardField[name]] !== undefined
        return reply.send({ status: isWrong ? 'invalid' : 'ok' })
      },
    )
  }
}
