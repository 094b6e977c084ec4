import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAccount, type SignUpValues, type UploadOptions } from './create-account.ts'

const values: SignUpValues = {
  accountType: 'individual',
  fullname: 'Tariro Moyo',
  email: 'tariro@example.co.zw',
  password: 'longenough',
  phonenumber: '077 123 4567',
  identificationDocumentType: 'passport',
  document: new File(['%PDF-1.4'], 'passport.pdf', { type: 'application/pdf' }),
}
const options: UploadOptions = {
  signal: new AbortController().signal,
  transport: (address, init) => fetch(address, init),
}
const documentUrl = 'https://files.example/fil_1'

interface Call {
  readonly name: string
  readonly init: RequestInit
}

let calls: Call[]
let answers: Record<string, () => Response>

beforeEach(() => {
  calls = []
  answers = {
    'GET /v1/config': () => Response.json({ uploadKey: 'up_1' }),
    'POST /v1/files/upload': () => Response.json({ url: documentUrl }, { status: 201 }),
    'POST /v1/auth/signup': () => Response.json({ message: 'made', merchantId: 'mer_1' }, { status: 201 }),
  }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const name = `${init.method} ${address}`
    calls.push({ name, init })
    return answers[name]?.() ?? Promise.reject(new TypeError('failed to fetch'))
  })
})
afterEach(() => vi.unstubAllGlobals())

const call = (name: string) => calls.find((made) => made.name === name)?.init

describe('the creation of an account', () => {
  test('[SIGNUP-22] uploads the document first, then creates the account', async () => {
    expect((await createAccount(values, options)).status).toBe(201)
    expect(calls.map(({ name }) => name)).toEqual([
      'GET /v1/config',
      'POST /v1/files/upload',
      'POST /v1/auth/signup',
    ])
  })
  test('[CALLS-13] sends the document as multipart in the field file, with the key', async () => {
    await createAccount(values, options)
    const upload = call('POST /v1/files/upload')
    expect(upload?.headers).toEqual({ 'x-api-key': 'up_1' })
    const form = upload?.body as FormData
    expect([...form.keys()]).toEqual(['file'])
    expect((form.get('file') as File).name).toBe('passport.pdf')
  })
  test.each(['individual', 'business'] as const)(
    '[CALLS-15] [SIGNUP-23] sends the account with the role merchant and the type %s',
    async (accountType) => {
      await createAccount({ ...values, accountType }, options)
      expect(JSON.parse(String(call('POST /v1/auth/signup')?.body))).toEqual({
        role: 'merchant',
        accountType,
        fullname: 'Tariro Moyo',
        email: 'tariro@example.co.zw',
        password: 'longenough',
        phonenumber: '077 123 4567',
        identificationDocumentType: 'passport',
        identificationDocumentPdf: documentUrl,
      })
    },
  )
  test('[CALLS-14] also reads the address of the document from fileUrl', async () => {
    answers['POST /v1/files/upload'] = () => Response.json({ fileUrl: documentUrl })
    await createAccount(values, options)
    expect(JSON.parse(String(call('POST /v1/auth/signup')?.body))).toMatchObject({
      identificationDocumentPdf: documentUrl,
    })
  })
  test.each([
    ['a refusal', () => Response.json({ message: 'no' }, { status: 415 })],
    ['an answer without an address', () => Response.json({})],
    ['an answer that is no JSON', () => new Response('<html>')],
  ])(
    '[CALLS-14] [R-20] %s to the upload is "File upload failed", and no account is created',
    async (_, answer) => {
      answers['POST /v1/files/upload'] = answer
      expect(await createAccount(values, options)).toMatchObject({
        data: null,
        message: 'File upload failed',
      })
      expect(call('POST /v1/auth/signup')).toBeUndefined()
    },
  )
  test('returns the error of the server about the document', async () => {
    const refused = (body: object) => () => Response.json(body, { status: 422 })
    answers['POST /v1/files/upload'] = refused({ message: 'This PDF is protected' })
    expect(await createAccount(values, options)).toMatchObject({
      status: 422,
      documentError: 'This PDF is protected',
    })
    answers['POST /v1/files/upload'] = refused({})
    expect(await createAccount(values, options)).toMatchObject({ status: 422, documentError: null })
  })
  test('[CALLS-16] returns the message of a refusal', async () => {
    answers['POST /v1/auth/signup'] = () => Response.json({ message: 'taken' }, { status: 409 })
    expect(await createAccount(values, options)).toMatchObject({ status: 409, data: null, message: 'taken' })
  })
  test.each(['GET /v1/config', 'POST /v1/files/upload', 'POST /v1/auth/signup'])(
    'has status 0 when the network fails at %s',
    async (name) => {
      delete answers[name]
      expect(await createAccount(values, options)).toMatchObject({ status: 0, data: null })
    },
  )
})
