import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import { reasonOf } from '@muripo/locales/errors'
import { invalidFieldFor } from '../../../platform/errors.ts'

/** The applications of a merchant, with their names. The module of applications is above this one. */
export type ApplicationNames = (merchantId: MerchantId) => Promise<ReadonlyMap<ApplicationId, string>>

/**
 * The limit that a body asks for: null for all applications, undefined where it says nothing.
 * @throws AppError validation_failed for an application that the merchant does not have
 */
export async function limitIn(
  namesOf: ApplicationNames,
  merchantId: MerchantId,
  { applications }: { readonly applications?: readonly string[] | null | undefined },
): Promise<readonly ApplicationId[] | null | undefined> {
  if (applications === undefined || applications === null) return applications
  const own = await namesOf(merchantId)
  const found = [...own.keys()].filter((id) => applications.some((each) => each === id))
  if (found.length < new Set(applications).size)
    throw invalidFieldFor('applications', reasonOf('applicationsMissing'))
  return found
}
