import type { SignUp } from '@muripo/contract/auth'
import { MerchantId } from '@muripo/contract/ids'
import { reasonOf } from '@muripo/locales/errors'
import type { z } from 'zod'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { violatedConstraint } from '../../../../platform/db/failures.ts'
import { AppError, invalidFieldFor } from '../../../../platform/errors.ts'
import { readDocumentUrl } from '../../documents/document-url.ts'
import { claimDocument, isFreeDocument } from '../../documents/store-documents.ts'
import { hashPassword } from '../../passwords/hashing.ts'
import { refuseCommonPassword, refuseOwnWords } from '../../passwords/password-rules.ts'
import { toE164 } from '../phone.ts'
import { accountByEmail, insertMerchant } from '../store-accounts.ts'

export async function signUp(
  ctx: Ctx,
  input: z.output<typeof SignUp>,
  from: { address: string; requestId: string },
): Promise<{ message: string; merchantId: MerchantId }> {
  const phone = toE164(input.phonenumber)
  if (phone === null) throw invalidFieldFor('phonenumber', reasonOf('phoneNotValid'))
  await refuseCommonPassword('password', input.password)
  refuseOwnWords('password', input.password, { fullname: input.fullname, email: input.email, phone })
  // The email is checked before the document, so that the owner of an account does not get an error about the document.
  if (await accountByEmail(ctx.db.kysely, input.email)) throw new AppError('email_taken')
  const documentId = readDocumentUrl(ctx, input.identificationDocumentPdf)
  if (documentId === null || !(await isFreeDocument(ctx.db.kysely, documentId))) throw documentInvalid()

  const id = ctx.ids.next(MerchantId)
  const merchant = {
    id,
    accountType: input.accountType,
    fullname: input.fullname,
    email: input.email,
    phone,
    passwordHash: await hashPassword(ctx, input.password),
    documentType: input.identificationDocumentType,
    documentId,
    createdAt: ctx.clock.now(),
  }
  try {
    await ctx.db.tx(async (tx) => {
      if (!(await claimDocument(tx, documentId, merchant.createdAt))) throw documentInvalid()
      await insertMerchant(tx, merchant)
      await audit(ctx, tx, visitorActor(from), { action: 'account.opened', subject: id, accountId: id })
    })
  } catch (error) {
    throw refusalOf(error) ?? error
  }
  return { message: 'Your account has been created. You can now sign in.', merchantId: id }
}

// Of two concurrent sign-ups with one email, only the unique index refuses the second.
function refusalOf(error: unknown): AppError | null {
  switch (violatedConstraint(error)) {
    case 'merchants_email':
      return new AppError('email_taken')
    default:
      return null
  }
}

const documentInvalid = () =>
  new AppError('document_invalid', {
    fields: [{ field: 'identificationDocumentPdf', message: 'Please upload your identification document' }],
  })
