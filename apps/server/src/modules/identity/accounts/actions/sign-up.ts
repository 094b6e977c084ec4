import type { SignUp } from '@muripo/contract/auth'
import { MerchantId, PersonId } from '@muripo/contract/ids'
import { reasonOf } from '@muripo/locales/errors'
import type { z } from 'zod'
import { visitorActor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { violatedConstraint } from '../../../../platform/db/failures.ts'
import { AppError, invalidFieldFor } from '../../../../platform/errors.ts'
import { readDocumentUrl } from '../../documents/document-url.ts'
import { claimDocument, isFreeDocument } from '../../documents/store-documents.ts'
import { insertOwnedMerchant } from '../../memberships/store-memberships.ts'
import { toE164 } from '../../merchants/phone.ts'
import { hashPassword } from '../../passwords/hashing.ts'
import { refuseCommonPassword, refuseOwnWords } from '../../passwords/password-rules.ts'
import { isEmailTaken } from '../../persons/store-persons.ts'

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
  if (await isEmailTaken(ctx.db.kysely, input.email)) throw new AppError('email_taken')
  const documentId = readDocumentUrl(ctx, input.identificationDocumentPdf)
  if (documentId === null || !(await isFreeDocument(ctx.db.kysely, documentId))) throw documentInvalid()

  const id = ctx.ids.next(MerchantId)
  const createdAt = ctx.clock.now()
  const { fullname, email } = input
  const owner = {
    personId: ctx.ids.next(PersonId),
    fullname,
    email,
    passwordHash: await hashPassword(ctx, input.password),
    locale: null,
    createdAt,
  }
  const merchant = {
    id,
    accountType: input.accountType,
    fullname,
    email,
    phone,
    documentType: input.identificationDocumentType,
    documentId,
    createdAt,
  }
  try {
    await ctx.db.tx(async (tx) => {
      if (!(await claimDocument(tx, documentId, createdAt))) throw documentInvalid()
      await insertOwnedMerchant(tx, merchant, owner)
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
    case 'persons_email':
      return new AppError('email_taken')
    default:
      return null
  }
}

const documentInvalid = () =>
  new AppError('document_invalid', {
    fields: [{ field: 'identificationDocumentPdf', message: 'Please upload your identification document' }],
  })
