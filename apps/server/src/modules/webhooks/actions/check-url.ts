import { invalidField } from '../../../platform/errors.ts'
import { bareHost, TargetRefused, type Targets } from '../../../platform/outbound/targets.ts'

/**
 * An address as it is kept: as browsers read it, and one that may be called. It is looked at again each time something is sent there.
 * @throws AppError validation_failed
 */
export async function checkUrl(targets: Targets, text: string): Promise<string> {
  const url = new URL(text)
  // Never sent, and so of no use to its receiver.
  url.hash = ''
  const fault = targets.faultOf(url)
  if (fault !== null) throw invalidField('url', fault)
  try {
    await targets.addressesOf(bareHost(url.hostname))
  } catch (error) {
    if (error instanceof TargetRefused) throw invalidField('url', error.message)
    throw error
  }
  return url.href
}
