import * as calls from 'virtual:calls/auth'
import * as configCalls from 'virtual:calls/config'
import type { DocumentType } from '@muripo/contract/document-types'
import type { AccountType } from '@muripo/contract/enums'
import type { Reply } from '@muripo/contract/route'
import { type ApiResult, addressOf, exchange, failure, sendPublic, type Transport } from '../lib/http.ts'

/** The values of the sign-up form. */
export interface SignUpValues {
  accountType: AccountType
  fullname: string
  email: string
  password: string
  phonenumber: string
  /** Empty until a type is selected. */
  identificationDocumentType: DocumentType | ''
  document: File | null
}

const UPLOAD_FAILED = 'File upload failed'
/** 10 MB at 35 kB/s take five minutes. */
const UPLOAD_LIMIT_MS = 600_000

/** Some deployments' file hosts answer with `fileUrl`. */
type Uploaded = Partial<Reply<typeof calls.uploadFile>> & { readonly fileUrl?: string }

export interface UploadOptions {
  /** Cancels the upload. */
  readonly signal: AbortSignal
  /** Sends the document. */
  readonly transport: Transport
}

async function upload(document: File, { signal, transport }: UploadOptions): Promise<ApiResult<string>> {
  const config = await sendPublic(configCalls.getConfig, { signal })
  if (config.status === 0) return failure(0, config.error ?? UPLOAD_FAILED)
  const form = new FormData()
  form.append('file', document)
  const result = await exchange<Uploaded>(
    addressOf(calls.uploadFile),
    { method: 'POST', headers: { 'x-api-key': config.data?.uploadKey ?? '' }, body: form, signal },
    UPLOAD_LIMIT_MS,
    transport,
  )
  if (result.status === 0) return failure(0, result.error ?? UPLOAD_FAILED)
  const url = result.data?.url ?? result.data?.fileUrl
  return url ? { ...result, data: url } : { ...result, data: null, error: UPLOAD_FAILED }
}

type Created = ApiResult<Reply<typeof calls.signUp>> & {
  /** The server's error about the document, when it was refused. */
  readonly documentError?: string | null
}

/** Uploads the document, then creates the account with its address. */
export async function createAccount(values: SignUpValues, options: UploadOptions): Promise<Created> {
  const { document, identificationDocumentType, ...person } = values
  if (document === null || identificationDocumentType === '') throw new Error('The form was not checked')
  const uploaded = await upload(document, options)
  if (uploaded.data === null) {
    const { status, body, message } = uploaded
    return { ...failure(status, UPLOAD_FAILED, UPLOAD_FAILED), body, documentError: message }
  }
  return sendPublic(calls.signUp, {
    body: {
      role: 'merchant',
      ...person,
      identificationDocumentType,
      identificationDocumentPdf: uploaded.data,
    },
  })
}
