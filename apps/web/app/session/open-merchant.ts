import * as calls from 'virtual:calls/team'
import type { Tokens } from '@muripo/contract/auth'
import { type ApiResult, addressOf, exchange, requestInit } from '../lib/http.ts'
import { paths } from '../lib/paths.ts'
import { overAllTabs } from './refresh.ts'
import { authorised, session } from './session.ts'

/**
 * Opens another merchant of the person in all tabs. The document is loaded again, so that nothing of the first merchant is left in this tab;
 * until then it sends no call. No tab refreshes meanwhile: it would store the tokens of the session that has ended.
 */
export async function openMerchant(merchantId: string): Promise<ApiResult<Tokens>> {
  const address = addressOf(calls.switchMerchant)
  const result = await authorised((authToken) =>
    overAllTabs(async () => {
      const answer = await exchange<Tokens>(address, requestInit('POST', { merchantId }, authToken))
      if (answer.data) session.renew(answer.data)
      return answer
    }),
  )
  if (result.data) window.location.assign(paths.dashboard)
  return result
}
